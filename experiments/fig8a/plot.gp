set multiplot layout 1,2
low = 0.21
high = 0.22
stats alpha_u using "alpha_u" name "unstable" nooutput

set title panel("a", "densest region")
set xlabel "distance D"
set ylabel "F_{local}(D)"
set logscale xy
set key top left maxrows 3
stats local_local using (column("entropy") > 0 ? column("entropy") : NaN) nooutput
set yrange [decade_below(STATS_min):decade_above(STATS_max, 1)]
plot for [i=1:words(local_alpha)] local_local \
  using "distance":(pick("alpha", word(local_alpha, i), "entropy")) \
  with linespoints ls i title "α = ".word(local_alpha, i), \
  local_local using "distance":(pick("alpha", word(local_alpha, 1), "bound")) \
  with lines ls 11 title "bound"
unset logscale xy
set yrange [*:*]
set key maxrows auto

stats fold_1rsb using "alpha" name "concave" nooutput
set title panel("b", "loss of concavity by y")
set offsets
set xlabel "y"
set ylabel "α"
set xrange [8:120]
set logscale x
set yrange [0.2:0.24]
set key default
set key inside bottom right samplen 2.5 spacing 1.05 noautotitle
set arrow 1 from 8, unstable_mean to 120, unstable_mean nohead lw 1.4 dt 2 lc rgb "black"
set arrow 2 from 8, concave_mean to 120, concave_mean nohead lw 1.4 dt 4 lc rgb "#b5332a"
set object 1 rect from graph 0, first low to graph 1, first high fc rgb "#dddddd" fs solid noborder behind
plot fold_rs using "y":"alpha" with linespoints ls 2 title "references RS", \
     keyentry with lines lw 1.4 dt 4 lc rgb "#b5332a" title "1RSB, y = ∞", \
     keyentry with lines lw 1.4 dt 2 lc rgb "black" title "α_U: dF/dD = 0, y = ∞"
unset object 1
unset arrow
unset logscale x
unset multiplot
