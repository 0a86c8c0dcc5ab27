set xlabel "iteration t"
set ylabel "F_{BP}(t) (nats)"
set key top right
stats example using "t0" name "t" nooutput
stats example using "f0" name "f" nooutput
set arrow 1 from t_mean, graph 0 to t_mean, f_mean nohead dt 3 lc rgb "#777777"
set multiplot layout 1,2
set yrange [-3:0.75]
set title panel("a", "whole run, reasonable range")
plot example_run using "t":"entropy" with lines ls 1 title "F_{BP}(t)", \
  example using "t0":"f0" with points ls 3 ps 1.4 title sprintf("t_0 = %.0f", t_mean)
set yrange [*:*]
set title panel("b", "around t_0")
set xrange [t_mean - 120 > 0 ? t_mean - 120 : 0:t_mean + 120]
plot example_run using "t":"entropy" with lines ls 1 title "F_{BP}(t)", \
  example using "t0":"f0" with points ls 3 ps 1.4 title "t_0"
unset multiplot
