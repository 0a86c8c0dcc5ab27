set multiplot layout 2,3
set datafile missing NaN # rows of other levels do not break a line
set xlabel "α"
set xtics 0.01
set ylabel "start of the ramp, O/N"
set offsets
set yrange [0:1]
set key bottom left
do for [s=1:3] {
  y = word("delta delta t_fix", s)
  level = word("0.03 0.1 0.1", s)
  set title panel(word("a b c", s), sprintf("%s, level %s", s < 3 ? "Δ" : "t^{fix}", level))
  plot for [i=1:words(damping_bpd_damping)] damping_start \
    using "alpha":(abs(column("level") - level) < 1e-9 ? pick("bpd.damping", word(damping_bpd_damping, i), y) : NaN):(err(y."_sem")) \
    with yerrorlines ls i title "f = ".word(damping_bpd_damping, i), \
    fixed_point_start using "alpha":(abs(column("level") - level) < 1e-9 ? column(y) : NaN):(err(y."_sem")) \
    with yerrorlines ls 4 title "fixed point"
}
set title panel("d", "Δ, level 0.03")
set xlabel "damping f"
set xtics autofreq
set logscale x
plot for [i=1:words(damping_alpha)] damping_start \
  using "bpd.damping":(abs(column("level") - 0.03) < 1e-9 ? pick("alpha", word(damping_alpha, i), "delta") : NaN):(err("delta_sem")) \
  with yerrorlines ls i title "α = ".word(damping_alpha, i), \
  for [i=1:words(larger_alpha)] larger_start \
  using "bpd.damping":(abs(column("level") - 0.03) < 1e-9 ? pick("alpha", word(larger_alpha, i), "delta") : NaN):(err("delta_sem")) \
  with yerrorlines ls i pt 6 dt 2 title sprintf("α = %s, N = %s", word(larger_alpha, i), larger_n), \
  for [i=1:words(largest_alpha)] largest_start \
  using "bpd.damping":(abs(column("level") - 0.03) < 1e-9 ? pick("alpha", word(largest_alpha, i), "delta") : NaN):(err("delta_sem")) \
  with yerrorlines ls i pt 2 dt 3 title sprintf("α = %s, N = %s", word(largest_alpha, i), largest_n)
unset logscale x
set xlabel "α"
set xtics 0.01
set ylabel "steps of BPD without convergence"
set yrange [0:*]
set title panel("e", "convergence of decimation")
set key top right
plot for [i=1:words(damping_bpd_damping)] damping \
  using "alpha":(pick("bpd.damping", word(damping_bpd_damping, i), "unconverged")):(err("unconverged_sem")) \
  with yerrorlines ls i title "f = ".word(damping_bpd_damping, i)
set xlabel "O/N"
set xtics autofreq
set ylabel "Δ_{i,BPD}"
set xrange [0:1]
set yrange [0:0.6]
set key top left
last = word(damping_alpha, words(damping_alpha))
set title panel("f", "α = ".last)
plot for [i=1:words(damping_bpd_damping)] damping_order \
  using "at":(pick2("bpd.damping", word(damping_bpd_damping, i), "alpha", last, "delta")):(err("delta_sem")) \
  with yerrorlines ls i title "f = ".word(damping_bpd_damping, i)
unset multiplot
