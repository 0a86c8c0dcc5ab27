# Figure 5; columns and lists come from the tables.
set multiplot layout 2,3 margins 0.065,0.985,0.085,0.95 spacing 0.09,0.17
stats exact25_stage using (column("fixed")) nooutput
stages = int(STATS_max / (STATS_records / words(exact25_stage_fin) - 1) + 0.5)
set logscale y
set format y "10^{%T}"
set xlabel "c_{ij}"
set xtics 0.1
set ylabel "probability density"
set label 1 panel("a", "N = ".exact25_n.", f_{in} = ".word(exact25_pdf_fin, words(exact25_pdf_fin))) at graph 0, graph 1.07 left
plot for [s=0:STATS_records / words(exact25_stage_fin) - 1] exact25_pdf using (column("c")):\
  (same("fin", word(exact25_pdf_fin, words(exact25_pdf_fin))) && column("fixed") == s * stages && column("density") > 0 ? column("density") : NaN) \
  with lines ls s+1 title sprintf("N_{fix} = %d", s * stages)
unset logscale y
set format y
set xtics auto
do for [n in "25 50"] {
  exact = value("exact".n."_step")
  bp = value("bp".n."_step")
  fins = value("bp".n."_step_fin")
  set xlabel "N_{fix}"
  set ylabel "mean square cross-correlation"
  set key top left
  set label 1 panel(n eq "25" ? "b" : "d", "N = ".value("bp".n."_n")."; lines BP, points exact") at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(err("xcorr2_sem")) with yerrorbars ls i pt 0, \
    for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")) with lines ls i title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] exact using (column("fixed")):(pick("fin", word(fins, i), "xcorr2")):(err("xcorr2_sem")) with yerrorbars ls i dt 1
  set ylabel "mean cross-correlation"
  set key top left
  set label 1 panel(n eq "25" ? "c" : "e", "N = ".value("bp".n."_n")."; lines BP, points exact") at graph 0, graph 1.07 left
  plot for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(err("xcorr_sem")) with yerrorbars ls i pt 0, \
    for [i=1:words(fins)] bp using (column("fixed")):(pick("fin", word(fins, i), "xcorr")) with lines ls i title "f_{in} = ".word(fins, i), \
    for [i=1:words(fins)] exact using (column("fixed")):(pick("fin", word(fins, i), "xcorr")):(err("xcorr_sem")) with yerrorbars ls i dt 1
}
unset multiplot
