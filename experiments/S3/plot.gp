stats rbp using (column("steps")) nooutput
set multiplot layout 1,2
set title panel("a", "success")
set xlabel "1 - γ"
set ylabel "rate of success"
set logscale x
set xrange [0.15:0.0007]
set yrange [0:1.05]
set key bottom right
plot for [i=1:words(rbp_fin)] rbp \
  using (1 - column("rbp.gamma")):(pick("fin", word(rbp_fin, i), "solved")):"solved_sem" \
  with yerrorlines ls i title "f_{in} = ".word(rbp_fin, i)
unset logscale x
set title panel("b", "time steps of solved runs")
set xlabel "f_{in}"
set ylabel "time steps (iterations)"
set xrange [0.23:0.5]
set logscale y
set datafile missing NaN # rows of other gamma lie between
set yrange [decade_below(STATS_min):decade_above(STATS_max, 1)]
set key top right
plot for [i=1:words(rbp_rbp_gamma)] rbp \
  using "fin":(pick("rbp.gamma", word(rbp_rbp_gamma, i), "steps")):(err("steps_sem")) \
  with yerrorlines ls i title "γ = ".word(rbp_rbp_gamma, i)
unset multiplot
