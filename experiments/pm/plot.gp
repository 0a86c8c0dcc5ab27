set xlabel "patterns per weight α"
set ylabel "share of problems solved"
set yrange [0:1.05]
set key bottom left
plot for [i=1:words(sbpi_n)] sbpi \
  using "alpha":(pick("n", word(sbpi_n, i), "solved")):"solved_sem" \
  with yerrorlines ls i title "SBPI, N = ".word(sbpi_n, i), \
  for [i=1:words(rbp_n)] rbp \
  using "alpha":(pick("n", word(rbp_n, i), "solved")):"solved_sem" \
  with yerrorlines ls i + 2 title "rBP, N = ".word(rbp_n, i)
