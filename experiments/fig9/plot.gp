# Figure 9; columns and lists come from the tables.
set multiplot
alphas = exact_step_alpha
names = "xcorr2 parisi_x difference eq9"
label(k) = k == 1 ? "XCorr^2" : k == 2 ? "x_*" : k == 3 ? "q_{same} - q_{diff}" : "XCorr^2 by eq. 9"
letters = "a b c d"
set xlabel "N_{fix}"
do for [k=1:4] {
  set lmargin at screen 0.08 + 0.245 * (k - 1)
  set rmargin at screen 0.245 + 0.245 * (k - 1)
  set tmargin at screen 0.97
  set bmargin at screen 0.74
  name = word(names, k)
  if (k == 2) { set key top right } else { set key top left }
  set ylabel label(k) offset 1.5
  set title panel(word(letters, k), "")
  plot for [i=1:words(alphas)] exact_step using (column("fixed")):(pick("alpha", word(alphas, i), name)):(column(name."_sem")) \
    with yerrorlines ls paper(i) title "α = ".word(alphas, i)
}
unset key
unset xlabel
unset ylabel
unset tics
set border 15 lc rgb "#999999"
stage(r, c) = sprintf("picture_map%d", c - 1)
shapes = "4 8 10 12 14 1 2 3 5 9 11 13"
hues = "#1f4e9c #b5332a #3a7d44 #7a4fa3 #8c6d1f #008080 #e08020 #c04080"
shape(c) = word(shapes, 1 + (int(c) - 1) % 12) + 0
hue(c) = c == 0 ? 0 : int(sprintf("%d", int(hex(word(hues, 1 + (int(c) - 1) % 8)))))
hex(s) = int("0x".s[2:7])
do for [r=1:words(picture_alpha)] {
  do for [c=1:4] {
    set lmargin at screen 0.02 + 0.245 * (c - 1)
    set rmargin at screen 0.24 + 0.245 * (c - 1)
    set tmargin at screen 0.66 - 0.22 * (r - 1)
    set bmargin at screen 0.47 - 0.22 * (r - 1)
    set xrange [*:*]
    set yrange [*:*]
    file = value(stage(r, c))
    a = word(picture_alpha, r)
    stats picture_stage using (same("alpha", a) && column("k") == c - 1 ? column("fixed") : NaN) nooutput
    fixed = STATS_max
    stats picture_stage using (same("alpha", a) && column("k") == c - 1 ? column("solutions") : NaN) nooutput
    solutions = STATS_max
    stats picture_stage using (same("alpha", a) && column("k") == c - 1 ? column("clusters") : NaN) nooutput
    clusters = STATS_max
    stats file using (same("alpha", a) ? abs(column("x")) : NaN) nooutput
    reach = STATS_max
    stats file using (same("alpha", a) ? abs(column("y")) : NaN) nooutput
    reach = 1.1 * (STATS_max > reach ? STATS_max : reach)
    set xrange [-reach:reach]
    set yrange [-reach:reach]
    set title sprintf("%sα = %s, N_{fix} = %d: %d / %d", r == 1 && c == 1 ? "(e) " : "", a, fixed, solutions, clusters) font ",10"
    plot file using (same("alpha", a) && column("cluster") > 0 ? column("x") : NaN):(column("y")):(shape(column("cluster") < 1 ? 1 : column("cluster"))):(hue(column("cluster"))) \
      with points pt variable ps 0.7 lc rgb variable, \
      file using (same("alpha", a) && column("cluster") == 0 ? column("x") : NaN):(column("y")) with points pt 6 ps 0.8 lc rgb "black"
  }
}
unset multiplot
