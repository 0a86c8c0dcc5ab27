set multiplot layout 2,2
set xlabel "f_{in}"
set offsets
set xrange [0.05:0.35]
kinds = "repeated large fast"
names = "'as printed, other starts' 'as printed for large N' 'fast'"
set key bottom left
do for [s=1:2] {
  y = word("rank differ", s)
  set title panel(word("a b", s), word("'order of fixing' 'values of weights'", s))
  set ylabel s == 1 ? "rank correlation" : "share that differs"
  set yrange [0:s == 1 ? 1.05 : 0.5]
  if (s == 2) { set key top left }
  plot for [k=1:3] protocols using "fin":word(kinds, k)."_".y:(err(word(kinds, k)."_".y."_sem")) with yerrorlines ls k title word(names, k)
}
set key top left
set xrange [0.2:0.6]
set title panel("c", "exact sums at small degree")
set ylabel "steps without convergence"
set yrange [0:*]
plot for [k=1:2] sums using "fin":(pick("bpd.factor", word(sums_bpd_factor, k), "unconverged")):(err("unconverged_sem")) with yerrorlines ls k title word(sums_bpd_factor, k)
set xrange [*:*]
set xlabel "N_{fix}"
set ylabel "mean square cross-correlation"
set title panel("d", "conditioned runs without convergence")
plot for [i=1:words(failed_fin)] for [k=1:2] failed_step using "fixed":(pick2("fin", word(failed_fin, i), "xcorr.failed", word("zero exclude", k), "xcorr2")):(err("xcorr2_sem")) \
  with yerrorlines ls 2*i-2+k title "f_{in} = ".word(failed_fin, i).", ".word("0 excluded", k)
unset multiplot
