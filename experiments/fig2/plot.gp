# Figure 2; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.065,0.985,0.085,0.95 spacing 0.075,0.17
set xlabel "A"
set ylabel "capacity (patterns per weight)"
set yrange [0:*]
set label 1 panel("a", "SBPI; lines without points: theory") at graph 0, graph 1.07 left
plot for [i=1:words(sbpi_fin)] theory using (column("a")):(pick("fin", word(sbpi_fin, i), "capacity")) with lines ls 10+i, \
     for [i=1:words(sbpi_fin)] sbpi using (column("a")):(pick("fin", word(sbpi_fin, i), "capacity")):(err("capacity_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(sbpi_fin, i)
set label 1 panel("b", "A of largest capacity") at graph 0, graph 1.07 left
set xlabel "input density f_{in}"
set ylabel "A_{opt}"
plot theory_optimum using (column("fin")):(column("a")) with lines ls 11 title "theory", \
     optimum using (column("fin")):(column("a")):(err("a_sem")) with yerrorbars ls 1 title "SBPI"
set label 1 panel("c", "rBP; lines without points: theory") at graph 0, graph 1.07 left
set xlabel "A"
set ylabel "capacity (patterns per weight)"
plot for [i=1:words(rbp_fin)] theory using (column("a")):(pick("fin", word(rbp_fin, i), "capacity")) with lines ls 10+i, \
     for [i=1:words(rbp_fin)] rbp using (column("a")):(pick("fin", word(rbp_fin, i), "capacity")):(err("capacity_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(rbp_fin, i)
set ylabel "time steps (sweeps)"
set logscale y
set yrange [*:*]
set label 1 panel("d", "SBPI, alpha = ".sbpi_time_alpha) at graph 0, graph 1.07 left
plot for [i=1:words(sbpi_time_fin)] sbpi_time using (column("a")):(pick("fin", word(sbpi_time_fin, i), "steps")):(err("steps_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(sbpi_time_fin, i)
set ylabel "time steps (iterations)"
set label 1 panel("e", "rBP, best gamma, alpha = ".rbp_time_alpha) at graph 0, graph 1.07 left
plot for [i=1:words(rbp_time_fin)] rbp_best using (column("a")):(pick("fin", word(rbp_time_fin, i), "steps")):(err("steps_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(rbp_time_fin, i)
unset multiplot
