set multiplot layout 2,2
set xlabel "O/N"
set xrange [0:1]
set key top left
do for [y in "t_scaled delta"] {
  do for [s=1:2] {
    name = word("sbpi rbp", s)
    small = value(name."480_order")
    file = value(name."_order")
    list = value(name."_order_fin")
    size = value(name."_n")
    set title panel(y eq "delta" ? word("c d", s) : word("a b", s), word("SBPI rBP", s))
    set ylabel y eq "delta" ? "Δ_{i,BPD}" : "t^{fix} / largest"
    set yrange [0:*]
    plot for [i=1:words(list)] small using "at":(pick("fin", word(list, i), y)):(err(y."_sem")) \
      with yerrorlines ls (2*i-1) title sprintf("f_{in} = %s, N = 480", word(list, i)), \
      for [i=1:words(list)] file using "at":(pick("fin", word(list, i), y)):(err(y."_sem")) \
      with yerrorlines ls (2*i) title sprintf("f_{in} = %s, N = %s", word(list, i), size)
  }
}
unset multiplot
