# Figure 2; columns and lists come from the tables.
# Density plots: a box around each point of the grid, half-way to its neighbours (in the logarithm for A). Rows run over
# f_in, and for each over A.
at(list, i) = word(list, i) + 0
middle(list, i) = sqrt(at(list, i) * at(list, i + 1))
edge(list, i) = i < 1 ? at(list, 1)**1.5 / at(list, 2)**0.5 : \
  i >= words(list) ? at(list, words(list))**1.5 / at(list, words(list) - 1)**0.5 : middle(list, i)
number_a(list) = int(column(0)) % words(list) + 1
low_a(list) = edge(list, number_a(list) - 1)
high_a(list) = edge(list, number_a(list))
half_fin(list) = (at(list, 2) - at(list, 1)) / 2
low_fin(list) = column("fin") - half_fin(list)
high_fin(list) = column("fin") + half_fin(list)
# Keys stand above the panels, in two rows.
above = 'set offsets; set key at graph 1, graph 1.28 right top horizontal maxcols 3 maxrows 2 samplen 2 width -1 height 0'
optima = 'theory_optimum using (column("a")):(column("fin")) with lines lw 2 dt 1 lc rgb "black" title "A_{opt} of theory", optimum using (column("a")):(column("fin")):(err("a_sem")) with xerrorbars pt 7 ps 0.8 lw 1.6 lc rgb "black" title "A_{opt} of SBPI"'
begin_density = 'set logscale x; set offsets; set autoscale xfix; set yrange [*:*]; set autoscale yfix; set xtics (3, 5, 10, 20, 40, 80); set ylabel "input density f_{in}"; set xlabel "A"; set cblabel "capacity (patterns per weight)" offset 0.6; set cbrange [0:*]; set palette defined (0 "#30305a", 1 "#fff8d8"); set key at graph 1, graph 1.2 right top vertical maxrows 2 maxcols 1 noopaque nobox'
end_density = 'unset logscale x; set autoscale x; set xtics auto; set yrange [0:*]; set key noopaque nobox; '.above
set multiplot layout 3,2 columnsfirst margins 0.08,0.9,0.05,0.92 spacing 0.185,0.135
eval above
set xlabel "A"
set ylabel "capacity (patterns per weight)"
set yrange [0:*]
set label 1 panel("a", "SBPI; lines without points: theory") at graph 0, graph 1.33 left
plot for [i=1:words(sbpi_fin)] theory using (column("a")):(pick("fin", word(sbpi_fin, i), "capacity")) with lines ls 10+i, \
     for [i=1:words(sbpi_fin)] sbpi using (column("a")):(pick("fin", word(sbpi_fin, i), "capacity")):(err("capacity_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(sbpi_fin, i)
set label 1 panel("b", "capacity of SBPI") at graph 0, graph 1.33 left
eval begin_density
plot sbpi using (column("a")):(column("fin")):(low_a(sbpi_a)):(high_a(sbpi_a)):(low_fin(sbpi_fin)):(high_fin(sbpi_fin)):(column("capacity")) \
       with boxxyerror fs solid noborder lc palette, @optima
eval end_density
set label 1 panel("c", "rBP; lines without points: theory") at graph 0, graph 1.33 left
set xlabel "A"
set ylabel "capacity (patterns per weight)"
plot for [i=1:words(rbp_fin)] theory using (column("a")):(pick("fin", word(rbp_fin, i), "capacity")) with lines ls 10+i, \
     for [i=1:words(rbp_fin)] rbp using (column("a")):(pick("fin", word(rbp_fin, i), "capacity")):(err("capacity_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(rbp_fin, i)
set ylabel "time steps (sweeps)"
set logscale y
set yrange [*:*]
stats sbpi_time using (column("steps")) nooutput
set yrange [decade_below(STATS_min):decade_above(STATS_max, 0)]
set label 1 panel("d", "SBPI, α = ".sbpi_time_alpha) at graph 0, graph 1.33 left
plot for [i=1:words(sbpi_time_fin)] sbpi_time using (column("a")):(pick("fin", word(sbpi_time_fin, i), "steps")):(err("steps_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(sbpi_time_fin, i)
set ylabel "time steps (iterations)"
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
set yrange [*:*]
stats rbp_best using (column("steps")) nooutput
set yrange [decade_below(STATS_min):decade_above(STATS_max, 0)]
set label 1 panel("e", "rBP, best γ, α = ".rbp_time_alpha) at graph 0, graph 1.33 left
plot for [i=1:words(rbp_time_fin)] rbp_best using (column("a")):(pick("fin", word(rbp_time_fin, i), "steps")):(err("steps_sem")) \
       with yerrorlines ls i title "f_{in} = ".word(rbp_time_fin, i)
unset logscale y
set ytics auto
set label 1 panel("f", "capacity by theory") at graph 0, graph 1.33 left
eval begin_density
plot density using (column("a")):(column("fin")):(low_a(density_a)):(high_a(density_a)):(low_fin(density_fin)):(high_fin(density_fin)):(column("capacity")) \
       with boxxyerror fs solid noborder lc palette, @optima
unset multiplot
