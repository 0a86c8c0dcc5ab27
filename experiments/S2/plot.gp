set multiplot layout 1,2
set xlabel "A"
set ylabel "capacity"
set logscale x
set yrange [0:1.05]
set xrange [0.08:100]
set key bottom left
set title panel("a", "extended-CP, N = ".ecp_n)
plot for [i=1:words(ecp_fin)] ecp \
  using "a":(pick("fin", word(ecp_fin, i), "capacity")):"capacity_sem" \
  with yerrorlines ls i title "f_{in} = ".word(ecp_fin, i)
set title panel("b", "theory")
plot for [i=1:words(theory_fin)] theory \
  using "a":(pick("fin", word(theory_fin, i), "capacity")) \
  with lines ls i title "f_{in} = ".word(theory_fin, i)
unset multiplot
