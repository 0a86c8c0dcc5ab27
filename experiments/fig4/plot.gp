# Figure 4; columns and lists come from the tables.
set multiplot layout 3,3 margins 0.075,0.99,0.06,0.965 spacing 0.08,0.095
set xlabel "D"
set key top left
set ylabel "local entropy (nats)"
set title panel("a", "typical solutions")
set logscale x
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb "#999999"
plot for [i=1:words(typical_local_fin)] typical_local using (column("distance")):(pick("fin", word(typical_local_fin, i), "entropy")) \
  with linespoints ls i title "f_{in} = ".word(typical_local_fin, i)
unset arrow 1
set key top left
set title panel("b", "densest region")
plot for [i=1:words(dense_local_fin)] dense_local using (column("distance")):(pick("fin", word(dense_local_fin, i), "entropy")) \
  with linespoints ls i title "f_{in} = ".word(dense_local_fin, i), \
  dense_local using (column("distance")):(pick("fin", word(dense_local_fin, 1), "bound")) with lines ls 11 lw 2.5 title "upper bound"
unset logscale x
set xtics 0.01
set xrange [0:0.053]
solvers = "sbpi rbp"
names = "SBPI rBP"
do for [s=1:2] {
  file = value(word(solvers, s)."_local")
  fins = value(word(solvers, s)."_local_fin")
  set title panel(word("c d", s), word(names, s))
  set key top left
  plot for [i=1:words(fins)] file using (column("distance")):(pick("fin", word(fins, i), "before")):(column("before_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] file using (column("distance")):(pick("fin", word(fins, i), "after")):(column("after_sem")) \
    with yerrorlines ls 10+paper(i) pt 6 ps 0.7 title "after the walk, ".word(fins, i)
}
set xtics auto
set xrange [0:1]
set xlabel "order of BPD / N"
set ylabel "Δ_{i,BPD}"
do for [s=1:2] {
  file = value(word(solvers, s)."_order")
  fins = value(word(solvers, s)."_order_fin")
  set title panel(word("e f", s), word(names, s))
  set key top left
  plot for [i=1:words(fins)] file using (column("position")):(pick("fin", word(fins, i), "before")):(column("before_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] file using (column("position")):(pick("fin", word(fins, i), "after")):(column("after_sem")) \
    with yerrorlines ls 10+paper(i) pt 6 ps 0.7 title "after the walk, ".word(fins, i)
}
set xrange [*:*]
fins = bpd_step_fin
set xlabel "N_{fix}"
set ylabel "local entropy, d = 3 (nats)"
set title panel("g", "solutions left")
plot for [i=1:words(fins)] bpd_step using (column("fixed")):(pick("fin", word(fins, i), "local3")):(column("local3_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
set xlabel "d"
set xrange [0.7:3.3]
set xtics 1,1,3
set key top left maxrows 3 width -1
set ylabel "local entropy (nats)"
set title panel("h", "average and BPD solution")
plot for [i=1:words(fins)] bpd_near using (column("distance")):(pick("fin", word(fins, i), "average")):(column("average_sem")) \
  with yerrorlines ls paper(i) title "average, ".word(fins, i), \
  for [i=1:words(fins)] bpd_near using (column("distance")):(pick("fin", word(fins, i), "decimated")):(column("decimated_sem")) \
  with yerrorlines ls 10+paper(i) pt 6 ps 0.8 title "BPD, ".word(fins, i)
set xrange [*:*]
set xtics auto
set key top left maxrows 3 width -1
set offsets graph 0, graph 0.02, graph 0.45, graph 0
set xlabel "N_{fix}"
set ylabel "entropy per unfixed weight (nats)"
set title panel("i", "exact and by BP")
plot for [i=1:words(fins)] bpd_step using (column("fixed")):(pick("fin", word(fins, i), "entropy")) \
  with lines ls paper(i) title "exact, ".word(fins, i), \
  for [i=1:words(fins)] bpd_step using (column("fixed")):(pick("fin", word(fins, i), "entropy_bp")):(column("entropy_bp_sem")) \
  with yerrorbars ls paper(i) dt 1 title "BP, ".word(fins, i)
unset multiplot
