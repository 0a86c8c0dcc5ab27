# Figure 5; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.065,0.985,0.085,0.95 spacing 0.09,0.17
stats exact25_stage using (column("fixed")) nooutput
stages = int(STATS_max / (STATS_records / words(exact25_stage_fin) - 1) + 0.5)
last = STATS_records / words(exact25_stage_fin) - 1
first_fin = word(exact25_pdf_fin, 1)
last_fin = word(exact25_pdf_fin, words(exact25_pdf_fin))
two = first_fin." ".last_fin
set logscale y
set format y "10^{%T}"
set xlabel "c_{ij}"
set xtics 0.1
set ylabel "probability density"
set label 1 panel("a", "N = ".exact25_n) at graph 0, graph 1.07 left
stats exact25_pdf using (column("density") > 0 ? column("density") : NaN) nooutput
set yrange [decade_below(STATS_min):decade_above(STATS_max, 4)]
set key top center maxrows 4 samplen 1.5 width -5 spacing 1 font ",9"
plot for [f=1:2] for [s=0:last] exact25_pdf using (column("c")):\
  (same("fin", word(two, f)) && column("fixed") == s * stages && column("density") > 0 ? column("density") : NaN) \
  with lines lw 1.5 dt s+1 lc rgb word("#1f4e9c #000000", f) title sprintf("f_{in} = %s, N_{fix} = %d", word(two, f), s * stages)
unset logscale y
set format y
set yrange [*:*]
set xtics auto
set key default
set key top left samplen 2.5 spacing 1.05 noautotitle
do for [n in "25 50"] {
  exact = value("exact".n."_step")
  bp = value("bp".n."_step")
  fins = value("bp".n."_step_fin")
  set xlabel "N_{fix}"
  set ylabel "mean square cross-correlation"
  set key top left
  set label 1 panel(n eq "25" ? "b" : "d", "N = ".value("bp".n."_n")."; lines BP, points exact") at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(err("xcorr2_sem")) with yerrorbars ls paper(i) pt 0, \
    for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")) with lines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] exact using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(err("xcorr2_sem")) with yerrorbars ls paper(i) dt 1
  set ylabel "mean cross-correlation"
  set key bottom left
  set label 1 panel(n eq "25" ? "c" : "e", "N = ".value("bp".n."_n")."; lines BP, points exact") at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(err("xcorr_sem")) with yerrorbars ls paper(i) pt 0, \
    for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr")) with lines ls paper(i) title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] exact using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(err("xcorr_sem")) with yerrorbars ls paper(i) dt 1
}
unset multiplot
