# Centred belief propagation; columns and lists come from the tables.
set multiplot layout 1,2 margins 0.08,0.99,0.14,0.92 spacing 0.1,0.1
set key bottom right
set xlabel "N"
set ylabel "Bethe - exact entropy (nats)"
set title panel("a", "exact counts")
fins = small_fin
plot 0 with lines dt 2 lc rgb "gray" notitle, \
  for [i=1:words(fins)] small using (column("n")):(pick("fin", word(fins, i), "plain_error")):(column("plain_error_sem")) \
  with yerrorlines ls i title "plain, f_{in} = ".word(fins, i), \
  for [i=1:words(fins)] small using (column("n")):(pick("fin", word(fins, i), "centred_error")):(column("centred_error_sem")) \
  with yerrorlines ls 10+i pt 6 ps 0.8 title "centred, ".word(fins, i)
set xlabel "f_{in}"
set ylabel "entropy (nats)"
set key top right
set title panel("b", "large systems")
sizes = large_n
plot theory using (column("fin")):(column("entropy")) with lines lc rgb "black" title "replica theory", \
  for [i=1:words(sizes)] large using (column("fin")):(pick("n", word(sizes, i), "plain")):(column("plain_sem")) \
  with yerrorbars ls i title "plain, N = ".word(sizes, i), \
  for [i=1:words(sizes)] large using (column("fin")):(pick("n", word(sizes, i), "centred")):(column("centred_sem")) \
  with yerrorbars ls 10+i pt 6 ps 1 title "centred, N = ".word(sizes, i), \
  largest using (column("fin")):(column("plain")):(column("plain_sem")) with yerrorbars ls 3 title "plain, N = ".largest_n, \
  largest using (column("fin")):(column("centred")):(column("centred_sem")) with yerrorbars ls 13 pt 6 ps 1 title "centred, N = ".largest_n
unset multiplot
