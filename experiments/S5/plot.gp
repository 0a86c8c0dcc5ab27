set multiplot layout 2,2
set xlabel "O/N"
set xrange [0:1]
set key top left
do for [y in "t_scaled delta"] {
  do for [s=1:2] {
    name = word("sbpi rbp", s)
    file = value(name."_order")
    list = value(name."_fin")
    sizes = value(name."_n")
    set title panel(y eq "delta" ? word("c d", s) : word("a b", s), word("SBPI rBP", s))
    set ylabel y eq "delta" ? "Δ_{i,BPD}" : "t^{fix} / largest"
    set yrange [0:*]
    plot for [i=1:words(list)] for [k=1:words(sizes)] file \
      using "at":(pick2("fin", word(list, i), "n", word(sizes, k), y)):(err(y."_sem")) \
      with yerrorlines ls (2*(i-1)+k) title sprintf("f_{in} = %s, N = %s", word(list, i), word(sizes, k))
  }
}
unset multiplot
