low = 0.21
high = 0.22
stats alpha_u using "alpha_u" name "unstable" nooutput
stats alpha_u using "alpha_c" name "capacity" nooutput
set xlabel "α"
set ylabel "P(solved)"
set offsets
set yrange [-0.03:1.05]
set xrange [0.09:0.27]
band = 'set object 1 rect from low, graph 0 to high, graph 1 fc rgb "#dddddd" fs solid noborder behind; set arrow 1 from unstable_mean, graph 0 to unstable_mean, graph 1 nohead lw 1.4 dt 2 lc rgb "black"'
eval band
set arrow 2 from capacity_mean, graph 0 to capacity_mean, graph 1 nohead lw 2 dt solid lc rgb "#222222" # another colour: the SVG terminal joins lines that differ in dashes only
set key bmargin center vertical maxcols 1 samplen 1.5 width -2
plot b_sbpi using "alpha":"solved":"solved_sem" with yerrorlines ls 2 title "SBPI, N = ".b_sbpi_n, \
     b_drawn using "alpha":"solved":"solved_sem" with yerrorlines ls 4 title "SBPI, patterns drawn", \
     b_rbp using "alpha":"solved":"solved_sem" with yerrorlines ls 3 title "rBP as printed, N = ".b_rbp_n, \
     b_split using "alpha":"solved":"solved_sem" with yerrorlines ls 5 title "rBP, split, N = ".b_split_n
unset object 1
unset arrow
