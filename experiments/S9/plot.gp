rows = words(sbpi_n) + words(rbp_n)
set multiplot layout rows,2
set xrange [0:1]
set xlabel "O/N"
set key top left
do for [s=1:2] {
  name = word("sbpi rbp", s)
  solver = word("SBPI rBP", s)
  file = value(name."_order")
  list = value(name."_alpha")
  sizes = value(name."_n")
  several = words(sizes) > 1
  do for [k=1:words(sizes)] {
    size = word(sizes, k)
    do for [y in "t_fix delta"] {
      set title sprintf("%s, N = %s", solver, size)
      set ylabel y eq "delta" ? "Δ_{i,BPD}" : "t^{fix}"
      set yrange [0:*]
      plot for [i=1:words(list)] file using "at":(!several || same("n", size) ? pick("alpha", word(list, i), y) : NaN):(err(y."_sem")) \
        with yerrorlines ls i title "α = ".word(list, i)
    }
  }
}
unset multiplot
