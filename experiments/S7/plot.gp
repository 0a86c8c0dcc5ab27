# Figure S7; columns and lists come from the tables.
set ylabel offset 2
set multiplot layout 2,3 margins 0.08,0.99,0.08,0.94 spacing 0.085,0.14
set xlabel "N_{fix}"
sizes = "100 200"
letters = "a b c d"
do for [r=1:2] {
  size = word(sizes, r)
  file = value("bp".size."_step")
  fins = value("bp".size."_step_fin")
  set xrange [0:size + 0]
  set key top left
  set ylabel "XCorr^2"
  set title panel(word(letters, 2*r-1), "N = ".size)
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(column("xcorr2_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] late_stage using (column("fixed")):(pick2("n", size, "fin", word(fins, i), "xcorr2")):(column("xcorr2_sem")) \
    with yerrorbars ls paper(i) dt 1 pt hollow(paper(i)) ps 1.1 notitle
  set key bottom left
  set ylabel "XCorr"
  set title panel(word(letters, 2*r), "N = ".size)
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(column("xcorr_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] late_stage using (column("fixed")):(pick2("n", size, "fin", word(fins, i), "xcorr")):(column("xcorr_sem")) \
    with yerrorbars ls paper(i) dt 1 pt hollow(paper(i)) ps 1.1 notitle
  if (r == 1) {
    set key top left
    set xrange [0:1]
    set xlabel "order of BPD / N"
    set ylabel "min(p, 1-p)"
    set title panel("e", "N = ".polarisation_order_n)
    fins = polarisation_order_fin
    plot for [i=1:words(fins)] polarisation_order using (column("position")):(pick("fin", word(fins, i), "undecided")):(column("undecided_sem")) \
      with yerrorlines ls i title "f_{in} = ".word(fins, i)
    set xlabel "N_{fix}"
  }
}
unset multiplot
