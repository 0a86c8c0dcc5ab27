# Success, time, local entropy, freezing, order of fixing; columns and lists come from the tables.
set multiplot layout 2,4
set datafile missing NaN
curves(t, ls, name, c) = sprintf('for [i=1:words(%s_n)] %s using (column("alpha")/%.10g):(pick("n", word(%s_n, i), "solved")):(err("solved_sem")) with yerrorlines ls %d pt hollow(i) title "%s, N = ".word(%s_n, i)', t, t, c, t, ls, name, t)
panel_of(tag, c) = "plot ".curves("sbpi".tag, 1, "SBPI", c).", ".curves("rbp".tag, 2, "rBP", c).", ".curves("amp".tag, 3, "AMP", c)
edge_of(u) = sprintf("set arrow 1 from %.10g, graph 0 to %.10g, graph 1 nohead lw 1.4 dt 2 lc rgb 'black'", u, u)
set xlabel "α/α_c"
set ylabel "share solved"
set yrange [-0.03:1.05]
set xrange [*:1.02]
set xtics 0.1
set key bmargin center vertical maxcols 2 samplen 1.5
stats edge using (pick("fin", "0.5", "alpha_c")) name "c" nooutput
stats edge using (pick("fin", "0.5", "alpha_u")) name "u" nooutput
set title panel("a", "f_{in} = 0.5")
eval edge_of(u_mean/c_mean)
eval panel_of("", c_mean)
stats edge using (pick("fin", "0.3", "alpha_c")) name "c" nooutput
stats edge using (pick("fin", "0.3", "alpha_u")) name "u" nooutput
set title panel("b", "f_{in} = 0.3")
eval edge_of(u_mean/c_mean)
eval panel_of("_03", c_mean)
stats edge using (pick("fin", "0.1", "alpha_c")) name "c" nooutput
stats edge using (pick("fin", "0.1", "alpha_u")) name "u" nooutput
set title panel("c", "f_{in} = 0.1")
eval edge_of(u_mean/c_mean)
eval panel_of("_01", c_mean)
stats edge_pm using "alpha_c" name "c" nooutput
stats edge_pm using "alpha_u" name "u" nooutput
set title panel("d", "weights −1/+1")
eval edge_of(u_mean/c_mean)
eval panel_of("_pm", c_mean)
unset arrow
set xrange [*:*]
set xtics 0.02
set title panel("e", "iterations of AMP")
set xlabel "α"
set ylabel "iterations, median of solved"
set autoscale y
set logscale y
set key inside top left
plot for [i=1:words(amp_n)] amp using "alpha":(pick("n", word(amp_n, i), "steps_median")) \
  with linespoints ls i title "N = ".word(amp_n, i)
unset logscale y
set title panel("f", "local entropy")
set xlabel "distance D"
set ylabel "F_{local}(D)"
plot value("local_sbpi_local") using "distance":"before":(err("before_sem")) with yerrorlines ls 1 title "SBPI", \
  value("local_amp_local") using "distance":"before":(err("before_sem")) with yerrorlines ls 3 title "AMP"
set title panel("g", "freezing")
set xlabel ""
set ylabel "ln sweeps; 10 times the error on new patterns"
set xrange [-0.5:3.5]
set yrange [0:*]
set xtics ("sweeps" 0, "--freeze" 1, "errors" 2, "--freeze" 3)
plot plain using (0):"log_steps":(err("log_steps_sem")) with yerrorbars ls 1, \
  frozen using (1):"log_steps":(err("log_steps_sem")) with yerrorbars ls 3, \
  learnt using (2):(10*column("error")):(10*err("error_sem")) with yerrorbars ls 1, \
  learnt_frozen using (3):(10*column("error")):(10*err("error_sem")) with yerrorbars ls 3
set xrange [*:*]
set xtics 0.2
set title panel("h", "order of fixing")
set xlabel "O/N"
set ylabel "t_{fix} / largest"
set yrange [0:*]
plot value("order_order") using "at":"t_scaled":(err("t_scaled_sem")) with yerrorlines ls 3 title "AMP"
unset multiplot
