# Figure 3; columns and lists come from the tables (those of 0.1 have neither gamma = 0.99 nor Delta over solved decimations).
newer = exists("rbp4_order")
difference = newer ? "delta_solved" : "delta"
set multiplot layout 2,3 margins 0.065,0.985,0.085,0.95 spacing 0.075,0.17
set palette defined (0 "#000000", 1 "#b0b0b0")
set cbrange [0:1]
unset colorbox
set xlabel "time step (sweeps)"
set ylabel "hidden state h_i"
set label 1 panel("a", "SBPI, f_{in} = ".film_sbpi_fin.", dark: early O") at graph 0, graph 1.07 left
shown = film_sbpi_shown + 0
plot for [i=0:shown-1] film_sbpi_film every shown::i using (column("t")):(column("h")):(column("at")) with lines lw 1.3 dt 1 palette
set xlabel "O/N, order of fixing in BPD"
set ylabel "t_i^{fix} (sweeps)"
set key top left
set label 1 panel("b", "SBPI") at graph 0, graph 1.07 left
plot for [i=1:words(sbpi_order_fin)] sbpi_order using (column("at")):(pick("fin", word(sbpi_order_fin, i), "t_fix")):(err("t_fix_sem")) \
  with yerrorlines ls i title "f_{in} = ".word(sbpi_order_fin, i)
set ylabel "Δ_{i,BPD}"
set yrange [0:*]
set label 1 panel("d", "SBPI") at graph 0, graph 1.07 left
plot for [i=1:words(sbpi_order_fin)] sbpi_order using (column("at")):(pick("fin", word(sbpi_order_fin, i), difference)):(err(difference."_sem")) \
  with yerrorlines ls i title "f_{in} = ".word(sbpi_order_fin, i)
set yrange [*:*]
set xlabel "time step (iterations)"
set ylabel "hidden state h_i"
set label 1 panel("a", "rBP, f_{in} = ".film_rbp_fin.", dark: early O") at graph 0, graph 1.07 left
shown = film_rbp_shown + 0
plot for [i=0:shown-1] film_rbp_film every shown::i using (column("t")):(column("h")):(column("at")) with lines lw 1.3 dt 1 palette
set xlabel "O/N, order of fixing in BPD"
set ylabel "t_i^{fix} (iterations)"
set label 1 panel("c", "rBP, γ = ".rbp_rbp_gamma) at graph 0, graph 1.07 left
plot for [i=1:words(rbp_order_fin)] rbp_order using (column("at")):(pick("fin", word(rbp_order_fin, i), "t_fix")):(err("t_fix_sem")) \
  with yerrorlines ls i title "f_{in} = ".word(rbp_order_fin, i), \
  newer ? rbp4_order : rbp_order using (column("at")):(newer ? column("t_fix") : NaN):(err("t_fix_sem")) \
  with yerrorlines ls 4 title newer ? "f_{in} = ".rbp4_fin.", γ = ".rbp4_rbp_gamma : ""
set ylabel "Δ_{i,BPD}"
set yrange [0:*]
set label 1 panel("e", "rBP, γ = ".rbp_rbp_gamma) at graph 0, graph 1.07 left
plot for [i=1:words(rbp_order_fin)] rbp_order using (column("at")):(pick("fin", word(rbp_order_fin, i), "delta")):(err("delta_sem")) \
  with yerrorlines ls i title "f_{in} = ".word(rbp_order_fin, i), \
  newer ? rbp4_order : rbp_order using (column("at")):(newer ? column("delta") : NaN):(err("delta_sem")) \
  with yerrorlines ls 4 title newer ? "f_{in} = ".rbp4_fin.", γ = ".rbp4_rbp_gamma : ""
unset multiplot
