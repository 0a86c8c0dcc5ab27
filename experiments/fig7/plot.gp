# Figure 7; columns and lists come from the tables.
set multiplot layout 2,4 margins 0.06,0.985,0.1,0.94 spacing 0.075,0.2
set xlabel "N_{fix}"
rows = "bpd exact"
names = "BPD exact_decimation"
letters = "a b c d e f g h"
do for [r=1:2] {
  table = word(rows, r)."_step"
  file = value(table)
  fins = value(table."_fin")
  name = system("echo ".word(names, r)." | tr _ ' '")
  set key top right
  set ylabel "x_*"
  set label 1 panel(word(letters, 4*r-3), name) at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "parisi_x")):(err("parisi_x_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
  set key top left
  set offsets graph 0, graph 0.02, graph 0.5, graph 0
  set ylabel "k (nats per weight)"
  set label 1 panel(word(letters, 4*r-2), name) at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "k_index")):(err("k_index_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] value(word(rows, r)) using (0):(pick("fin", word(fins, i), "largest")):(bpd_n + 0):(0) with vectors nohead ls 10+paper(i)
  set offsets graph 0, graph 0.02, graph 0.3, graph 0
  set ylabel "q_{same} - q_{diff}"
  set label 1 panel(word(letters, 4*r-1), name) at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "difference")):(err("difference_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
  set ylabel "XCorr^2 by eq. 9"
  set label 1 panel(word(letters, 4*r), name) at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] file using (column("fixed")):(pick("fin", word(fins, i), "eq9")):(err("eq9_sem")) \
    with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
}
unset multiplot
