# Figure S8; columns and lists come from the tables.
set ylabel offset 2
set multiplot layout 3,3 margins 0.08,0.99,0.06,0.96 spacing 0.085,0.1
names = "xcorr2 parisi_x gap"
label(k) = k == 1 ? "XCorr^2" : k == 2 ? "x_*" : "q_{same} - q_{diff}"
letters = "a b c d e f g h i"
set xlabel "N_{fix} / N"
do for [k=1:3] {
  do for [f=1:words(late_stage_fin)] {
    name = word(names, k)
    fin = word(late_stage_fin, f)
    if (k == 1) { set xrange [0:1] } else { set xrange [0.78:1] }
    set ylabel label(k)
    set key top left
    if (k == 2) { set key top right }
    set title panel(word(letters, 3*k-3+f), "f_{in} = ".fin)
    plot for [i=1:words(late_stage_n)] late_stage using (column("share")):(pick2("fin", fin, "n", word(late_stage_n, i), name)):(column(name."_sem")) \
      with yerrorlines ls i title "N = ".word(late_stage_n, i), \
      for [i=1:(k == 1 ? 3 : 0)] value("bp".word("25 50 100", i)."_step") using (column("share")):(pick("fin", fin, "xcorr2")):(column("xcorr2_sem")) \
      with yerrorlines ls 10+i pt hollow(i) ps 0.8 title "by BP, ".word("25 50 100", i)
  }
}
unset multiplot
