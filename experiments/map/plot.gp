set multiplot layout 1,2
set xlabel "Q = 1/(A f_{in})"
set offsets
set logscale x
set xrange [0.04:0.8]
set ylabel "α"
set yrange [0:0.7]
set key bottom right
set title panel("a", "loads")
plot capacity using "q":"capacity" with lines ls 11 title "capacity", \
  alpha_u using "q":"alpha_u" with linespoints ls 1 title "α_U", \
  fold using "q":"alpha" with linespoints ls 5 title "concavity lost", \
  sbpi using "q":"edge":(err("edge_sem")) with yerrorbars ls 2 title "SBPI, N = ".sbpi_n, \
  rbp using "q":"edge":(err("edge_sem")) with yerrorbars ls 3 title "rBP, N = ".rbp_n, \
  amp using "q":"edge":(err("edge_sem")) with yerrorbars ls 4 title "SBPI, then AMP, N = ".amp_n
set ylabel "α / α_c"
set yrange [0.4:1.02]
set key bottom left
set title panel("b", "in units of capacity")
# Capacity of each A, looked up in its table.
array c[100]
stats capacity using (c[int(column("a"))] = column("capacity")) nooutput
plot alpha_u using "q":"share" with linespoints ls 1 title "α_U", \
  fold using "q":"share" with linespoints ls 5 title "concavity lost", \
  sbpi using "q":(column("edge") / c[int(column("a"))]):(err("edge_sem") / c[int(column("a"))]) with yerrorbars ls 2 title "SBPI", \
  rbp using "q":(column("edge") / c[int(column("a"))]):(err("edge_sem") / c[int(column("a"))]) with yerrorbars ls 3 title "rBP", \
  amp using "q":(column("edge") / c[int(column("a"))]):(err("edge_sem") / c[int(column("a"))]) with yerrorbars ls 4 title "SBPI, then AMP"
unset multiplot
