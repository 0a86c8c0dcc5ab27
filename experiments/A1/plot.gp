# Figure A1; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.075,0.985,0.08,0.94 spacing 0.075,0.13
set xlabel "1/N"
fins = full_fin
set xrange [0:0.07]
set key top right
set yrange [0:1.05]
set ylabel "x_*"
set title panel("a", "Parisi parameter")
plot for [i=1:words(fins)] full using (column("inverse")):(pick("fin", word(fins, i), "parisi_x")):(err("parisi_x_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
  far4 using (column("inverse")):(column("parisi_x")):(err("parisi_x_sem")) with yerrorbars ls paper(2) notitle, \
  far using (column("inverse")):(column("parisi_x")):(err("parisi_x_sem")) with yerrorbars ls paper(3) notitle, \
  farthest using (column("inverse")):(column("parisi_x")):(err("parisi_x_sem")) with yerrorbars ls paper(3) notitle, \
  "+" using (0):(1) every ::0::0 with points pt 7 ps 1.2 lc rgb "black" title "replica theory"
set key top right maxrows 3 width -7
set yrange [0:0.4]
set ylabel "overlap"
set title panel("b", "overlaps")
plot for [i=1:words(fins)] full using (column("inverse")):(pick("fin", word(fins, i), "q_same")):(err("q_same_sem")) \
  with yerrorlines ls paper(i) title "q_{same}, f_{in} = ".word(fins, i), \
  for [i=1:words(fins)] full using (column("inverse")):(pick("fin", word(fins, i), "q_diff")):(err("q_diff_sem")) \
  with yerrorlines ls 10+paper(i) pt 6 ps 0.7 title "q_{diff}", \
  for [i=1:words(theory_fin)] theory using (0):(pick("fin", word(theory_fin, i), "overlap")) with points ls paper(i) ps 1.3 notitle
set key top left maxrows auto width 0
set yrange [0:0.12]
set ylabel "q_{same} - q_{diff}"
set title panel("c", "mean over instances")
plot for [i=1:words(fins)] full using (column("inverse")):(pick("fin", word(fins, i), "gap")):(err("gap_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i), \
  far4 using (column("inverse")):(column("gap")):(err("gap_sem")) with yerrorbars ls paper(2) notitle, \
  far using (column("inverse")):(column("gap")):(err("gap_sem")) with yerrorbars ls paper(3) notitle, \
  farthest using (column("inverse")):(column("gap")):(err("gap_sem")) with yerrorbars ls paper(3) notitle, \
  "+" using (0):(0) every ::0::0 with points pt 7 ps 1.2 lc rgb "black" title "replica theory"
set title panel("d", "f_{in} = 0.5, three averages")
set yrange [-0.02:0.12]
plot for [k=1:3] full using (column("inverse")):(pick("fin", "0.5", word("gap gap_distinct pooled", k))):(err(word("gap gap_distinct pooled", k)."_sem")) \
  with yerrorlines ls k title word("'per instance' 'without self-pairs' 'pooled over instances'", k), \
  for [k=1:3] far using (column("inverse")):(column(word("gap gap_distinct pooled", k))):(err(word("gap gap_distinct pooled", k)."_sem")) with yerrorbars ls k notitle, \
  for [k=1:3] farthest using (column("inverse")):(column(word("gap gap_distinct pooled", k))):(err(word("gap gap_distinct pooled", k)."_sem")) with yerrorbars ls k notitle
set title panel("e", "f_{in} = 0.5, sizes of clusters")
set xlabel "solutions in the cluster"
set ylabel "share of the solutions"
set logscale x
set xrange [1:1e6]
set yrange [0:*]
set key top right
sizes = "20 25 30 40"
plot for [k=1:words(sizes)] full_sizes using "size":(pick2("fin", "0.5", "n", word(sizes, k), "share")):(err("share_sem")) \
  with yerrorlines ls k title "N = ".word(sizes, k)
unset logscale x
set xlabel "1/N"
set xrange [0:0.07]
set yrange [0:0.12]
set ylabel "q_{same} - q_{diff}"
set key top left
set title panel("f", "N = ".centred_n)
plot for [i=1:words(fins)] centred using (column("inverse")):(pick("fin", word(fins, i), "gap")):(err("gap_sem")) \
  with yerrorlines ls paper(i) title "f_{in} = ".word(fins, i)
unset multiplot
