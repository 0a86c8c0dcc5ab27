set xlabel "A"
set ylabel "capacity"
set yrange [0:*]
set arrow 1 from point_a + 0, graph 0 to point_a + 0, graph 1 nohead dt 3 lc rgb "#777777"
plot curve using "a":"capacity" with lines ls 1 title "theory, f_{in} = ".curve_fin, \
     point using (point_a + 0):"capacity" with points ls 1 title "A = ".point_a
