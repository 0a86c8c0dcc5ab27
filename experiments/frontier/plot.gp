# Success, time, order of fixing; columns and lists come from the tables.
set multiplot layout 1,3
set title panel("a", "success")
set xlabel "α"
set ylabel "share solved"
set yrange [0:1.05]
set key bottom left
plot for [i=1:words(sbpi_n)] sbpi using "alpha":(pick("n", word(sbpi_n, i), "solved")):(err("solved_sem")) \
  with yerrorlines ls 1 pt hollow(i) title "SBPI, N = ".word(sbpi_n, i), \
  for [i=1:words(rbp_n)] rbp using "alpha":(pick("n", word(rbp_n, i), "solved")):(err("solved_sem")) \
  with yerrorlines ls 2 pt hollow(i) title "rBP, N = ".word(rbp_n, i), \
  for [i=1:words(amp_n)] amp using "alpha":(pick("n", word(amp_n, i), "solved")):(err("solved_sem")) \
  with yerrorlines ls 3 pt hollow(i) title "AMP, N = ".word(amp_n, i)
set title panel("b", "iterations of AMP")
set ylabel "iterations, median of solved"
set autoscale y
set logscale y
set key top left
set datafile missing NaN
plot for [i=1:words(amp_n)] amp using "alpha":(pick("n", word(amp_n, i), "steps_median")) \
  with linespoints ls i title "N = ".word(amp_n, i)
unset logscale y
set title panel("c", "order of fixing")
set xlabel "O/N"
set ylabel "t_{fix} / largest"
set yrange [0:*]
plot value("order_order") using "at":"t_scaled":(err("t_scaled_sem")) with yerrorlines ls 3 title "AMP"
unset multiplot
