set multiplot layout 1,2
set xlabel "f_{in}"
set offsets
set xrange [0.05:0.45]
set yrange [-0.03:1.05]
set ylabel "P(solved)"
set title panel("a", "N = ".solves_n)
plot solves using "fin":"solved":(err("solved_sem")) with yerrorlines ls 1
set yrange [0:*]
set ylabel "time steps"
set title panel("b", "of solved runs")
plot solves using "fin":"steps":(err("steps_sem")) with yerrorlines ls 1
unset multiplot
