# Success, time, local entropy, freezing, order of fixing; columns and lists come from the tables.
set multiplot layout 2,4
set datafile missing NaN
curves(t, ls, name, c) = sprintf('for [i=1:words(%s_n)] %s using (column("alpha")/%.10g):(pick("n", word(%s_n, i), "solved")):(err("solved_sem")) with yerrorlines ls %d pt hollow(i) title "%s, N = ".word(%s_n, i)', t, t, c, t, ls, name, t)
# A table with one N: no title where another table has its points.
single(t, ls, name, c, first) = sprintf('%s using (column("alpha")/%.10g):"solved":(err("solved_sem")) with yerrorlines ls %d pt 12 title (%s_n eq word(%s, 1) ? "" : "%s, N = ".%s_n)', t, c, ls, t, first, name, t)
decimation(tag, c) = tag eq "" ? curves("bpd", 4, "BPD", c) : single("bpd".tag, 4, "BPD", c, "\"-\"")
panel_of(tag, c) = "plot ".curves("sbpi".tag, 1, "SBPI", c).", ".curves("rbp".tag, 2, "rBP", c).", ".single("rbp_large".tag, 2, "rBP", c, "rbp".tag."_n").", ".decimation(tag, c).", ".curves("amp".tag, 3, "AMP", c)
# alpha/alpha_U above, and a line where it is 1.
edge_of(u) = sprintf("set arrow 1 from %.10g, graph 0 to %.10g, graph 1 nohead lw 1.4 dt 2 lc rgb 'black'; set link x2 via x/%.10g inverse x*%.10g", u, u, u, u)
# Steps times pattern bits; a step passes over all of them a fixed number of times.
work(t, ls, name) = sprintf('for [i=1:words(%s_n)] %s using "alpha":(column("alpha")*real(word(%s_n, i))**2*pick("n", word(%s_n, i), "steps_median")) with linespoints ls %d pt hollow(i) title "%s, N = ".word(%s_n, i)', t, t, t, t, ls, name, t)
set xlabel "α/α_c"
set ylabel "share solved"
set yrange [-0.03:1.05]
set xrange [*:1.02]
set xtics 0.1 nomirror
set x2label "α/α_U"
set x2tics 0.1
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
unset link x2
unset x2label
unset x2tics
set xrange [*:*]
set xtics 0.02
set title panel("e", "work to a solution")
set xlabel "α"
set ylabel "steps times pattern bits, median of solved"
set autoscale y
set logscale y
set format y "10^{%T}"
set key bmargin center vertical maxcols 2 samplen 1.5
eval "plot ".work("sbpi", 1, "SBPI").", ".work("drawn", 5, "SBPI drawn").", ".work("rbp", 2, "rBP").", ".work("amp", 3, "AMP")
set key inside top left
set format y
unset logscale y
set title panel("f", "local entropy")
set xlabel "distance D"
set ylabel "F_{local}(D)"
plot value("local_sbpi_local") using "distance":"before":(err("before_sem")) with yerrorlines ls 1 title "SBPI", \
  value("local_rbp_local") using "distance":"before":(err("before_sem")) with yerrorlines ls 2 title "rBP", \
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
