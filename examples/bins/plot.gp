set datafile separator "\t"
set datafile columnheaders
set multiplot layout 1,2
set xrange [0:1]
set xlabel "place in the order of BPD, O/N"
set key top left
set ylabel "Delta of SBPI"
set yrange [0:0.6]
plot for [f in sbpi_fin] sbpi_order \
  using (column("fin") == f + 0 ? column("at") : NaN):(column("delta")):(column("delta_sem")) \
  with yerrorbars title "f_in = ".f
set ylabel "t_fix"
set yrange [*:*]
plot for [f in sbpi_fin] sbpi_order \
  using (column("fin") == f + 0 ? column("at") : NaN):(column("t_fix")):(column("t_fix_sem")) \
  with yerrorbars title "SBPI, sweeps, f_in = ".f, \
  rbp_order using (column("at")):(column("t_fix")):(column("t_fix_sem")) \
  with yerrorbars title "rBP, steps, f_in = 0.3"
unset multiplot
