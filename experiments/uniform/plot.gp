set multiplot layout 1,3
several = words(uniform_n) > 1
size(k) = word(uniform_n, k)
set xlabel "α"
set ylabel "P(solved)"
set offsets
set yrange [0:1.05]
set key bottom left
set title panel("a", "success")
plot for [k=1:words(uniform_n)] uniform using "alpha":(several ? pick("n", size(k), "solved") : column("solved")):(err("solved_sem")) \
  with yerrorlines ls k title "uniform, N = ".size(k), \
  for [k=1:words(uniform_n)] uniform using "alpha":(several ? pick("n", size(k), "polarised") : column("polarised")):(err("polarised_sem")) \
  with yerrorlines ls 4+k title "most polarised, N = ".size(k)
set ylabel "share of the weights fixed"
set title panel("b", "lost and condensed")
plot for [k=1:words(uniform_n)] uniform using "alpha":(several ? pick("n", size(k), "lost") : column("lost")):(err("lost_sem")) \
  with yerrorlines ls k title "last solution lost, N = ".size(k), \
  for [k=1:words(uniform_n)] uniform using "alpha":(several ? pick("n", size(k), "condensed") : column("condensed")):(err("condensed_sem")) \
  with yerrorlines ls 4+k title "x_* halved, N = ".size(k)
set xlabel "share of the weights fixed"
set ylabel "x_*"
set yrange [0:*]
set key top right
set title panel("c", "exact uniform decimation, N = ".size(1))
plot for [i=1:words(uniform_alpha)] uniform_step using "share":(!several || same("n", size(1)) ? pick("alpha", word(uniform_alpha, i), "parisi_x") : NaN):(err("parisi_x_sem")) \
  with yerrorlines ls i title "α = ".word(uniform_alpha, i)
unset multiplot
