set datafile separator "\t"
set datafile columnheaders
set logscale x 2
set xlabel "N"
set ylabel "fraction solved"
set yrange [0:1]
plot for [i=1:words(sbpi_ties)] sbpi \
  using (column("n")):(stringcolumn("ties") eq word(sbpi_ties, i) ? column("solved") : NaN):(column("solved_sem")) \
  with yerrorlines lt i dt i title "ties = ".word(sbpi_ties, i)
