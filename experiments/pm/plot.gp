set xlabel "patterns per weight α"
set ylabel "share of problems solved"
set yrange [0:1.05]
set key bottom left
plot for [i=1:words(sbpi_n)] sbpi \
  using "alpha":(pick("n", word(sbpi_n, i), "solved")):"solved_sem" \
  with yerrorlines ls i title "SBPI, N = ".word(sbpi_n, i), \
  rbp using "alpha":"solved":"solved_sem" \
  with yerrorlines ls 3 title "rBP, N = ".rbp_n, \
  for [i=1:(rbp_large_n eq rbp_n ? 0 : 1)] rbp_large \
  using "alpha":"solved":"solved_sem" \
  with yerrorlines ls 4 title "rBP, N = ".rbp_large_n
