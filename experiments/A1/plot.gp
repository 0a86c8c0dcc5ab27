# Figure A1; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.06,0.99,0.08,0.94 spacing 0.065,0.13
set xlabel "1/N"
tables = "full centred"
names = "N=15,...,60 N=18,30,42,54"
letters = "a b c d e f"
set xrange [0:0.07]
do for [r=1:2] {
  file = value(word(tables, r))
  fins = value(word(tables, r)."_fin")
  name = word(names, r)
  set key top right
  set yrange [0:1.05]
  set ylabel "x_*"
  set title panel(word(letters, 3*r-2), name)
  plot for [i=1:words(fins)] file using (column("inverse")):(pick("fin", word(fins, i), "parisi_x")):(column("parisi_x_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    "+" using (0):(1) every ::0::0 with points pt 7 ps 1.2 lc rgb "black" title "replica theory"
  set key top right maxrows 3 width -7
  set yrange [0:0.4]
  set ylabel "overlap"
  set title panel(word(letters, 3*r-1), name)
  plot for [i=1:words(fins)] file using (column("inverse")):(pick("fin", word(fins, i), "q_same")):(column("q_same_sem")) \
    with yerrorlines ls paper(i) title "q_{same}, f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] file using (column("inverse")):(pick("fin", word(fins, i), "q_diff")):(column("q_diff_sem")) \
    with yerrorlines ls 10+paper(i) pt 6 ps 0.7 title "q_{diff}", \
    for [i=1:words(theory_fin)] theory using (0):(pick("fin", word(theory_fin, i), "overlap")) with points ls paper(i) ps 1.3 notitle
  set key top left maxrows auto width 0
  set yrange [0:0.12]
  set ylabel "q_{same} - q_{diff}"
  set title panel(word(letters, 3*r), name)
  plot for [i=1:words(fins)] file using (column("inverse")):(pick("fin", word(fins, i), "difference")):(column("difference_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    "+" using (0):(0) every ::0::0 with points pt 7 ps 1.2 lc rgb "black" title "replica theory"
}
unset multiplot
