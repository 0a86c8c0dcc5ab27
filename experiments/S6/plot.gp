# Figure S6; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.08,0.99,0.08,0.94 spacing 0.085,0.14
fins = exact_step_fin
set xlabel "N_{fix}"
set key top left
set ylabel "local entropy, d = 3 (nats)"
set title panel("a", "solutions left")
plot for [i=1:words(fins)] exact_step using (column("fixed")):(pick("fin", word(fins, i), "local3")):(column("local3_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
set xlabel "d"
set xrange [0.7:3.3]
set xtics 1,1,3
set key top left maxrows 3 width -3
set ylabel "local entropy (nats)"
set title panel("b", "average and decimated solution")
plot for [i=1:words(fins)] exact_near using (column("distance")):(pick("fin", word(fins, i), "average")):(column("average_sem")) \
  with yerrorlines ls paper(i) title "average, ".word(fins, i), \
  for [i=1:words(fins)] exact_near using (column("distance")):(pick("fin", word(fins, i), "decimated")):(column("decimated_sem")) \
  with yerrorlines ls 10+paper(i) pt 6 ps 0.8 title "decimated, ".word(fins, i)
set xrange [*:*]
set xtics auto
set key top left maxrows auto width 0
set xlabel "N_{fix}"
set ylabel "entropy per unfixed weight (nats)"
set title panel("c", "exact")
plot for [i=1:words(fins)] exact_step using (column("fixed")):(pick("fin", word(fins, i), "entropy")):(column("entropy_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
set ylabel "XCorr^2"
set title panel("d", "mean square cross-correlation")
plot for [i=1:words(fins)] exact_step using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(column("xcorr2_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
set key bottom left
set ylabel "XCorr"
set title panel("e", "mean cross-correlation")
plot for [i=1:words(fins)] exact_step using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(column("xcorr_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
unset multiplot
