set multiplot layout 2,2
do for [s=1:2] {
  name = word("sbpi rbp", s)
  solver = word("SBPI rBP", s)
  letter = word("a b", s)
  file = value(name."_histogram")
  scalars = value(name)
  list = value(name."_a")
  set title panel(letter, solver)
  set xlabel "stability / N"
  set ylabel "probability density"
  set xrange [-0.1:1.5]
  set yrange [0:*]
  plot for [i=1:words(list)] file \
    using "at":(pick("a", word(list, i), "density")):"density_sem" \
    with yerrorlines ls i title "A = ".word(list, i)
  set title panel(letter, solver.", patterns below 1")
  set xlabel "A"
  set ylabel "P(stability / N < 1)"
  set xrange [word(list, 1) - 5:word(list, words(list)) + 5]
  set yrange [*:*]
  plot scalars using "a":"below":"below_sem" with yerrorlines ls 1
}
unset multiplot
