set multiplot layout 4,3
low = 0.21
high = 0.22
stats alpha_u using "alpha_u" name "unstable" nooutput
band = 'set object 1 rect from low, graph 0 to high, graph 1 fc rgb "#dddddd" fs solid noborder behind; set arrow 1 from unstable_mean, graph 0 to unstable_mean, graph 1 nohead lw 1.4 dt 2 lc rgb "black"'

# Panels c, e, f, h: t_fix and Delta of one solver at its largest N; d, g: where Delta starts to ramp.
order_panels = 'file = value(name."_order"); list = value(name."_alpha"); sizes = value(name."_n"); largest = word(sizes, words(sizes)); several = words(sizes) > 1'
do for [s=1:6] {
  name = word("c_sbpi c_sbpi e_sbpi f_rbp f_rbp h_rbp", s)
  solver = s <= 3 ? "SBPI" : "rBP"
  letter = word("c d e f g h", s)
  eval order_panels
  if (letter eq "d" || letter eq "g") {
    set title panel(letter, solver.", start of the ramp of Δ")
    set xlabel "α"
    set ylabel "O/N"
    set offsets
    set xrange [0.2:0.28]
    set yrange [0:1]
    set key default
    set key inside bottom right samplen 2.5 spacing 1.05 noautotitle
    eval band
    plot for [i=1:words(sizes)] value(name) using "alpha":(several ? pick("n", word(sizes, i), "ramp") : column("ramp")):"ramp_sem" \
         with yerrorlines ls paper(i) title "N = ".word(sizes, i), \
         keyentry with boxes fc rgb "#dddddd" fs solid noborder title "paper's α_U", \
         keyentry with lines lw 1.4 dt 2 lc rgb "black" title "α_U by theory"
    unset object 1
    unset arrow
  } else {
    fails = letter eq "c" || letter eq "f"
    y = fails ? "t_fix" : "t_scaled"
    set offsets graph 0, graph 0.02, graph 0.3, graph 0
    set xrange [0:1]
    set xlabel "O/N"
    set key default
    set key inside top left samplen 2.5 spacing 1.05 noautotitle
    set title panel(letter, sprintf("%s %s, N = %s", solver, fails ? "fails" : "solves", largest))
    set ylabel fails ? "t^{fix}" : "t^{fix} / largest"
    set yrange [0:*]
    plot for [i=1:words(list)] file using "at":(!several || same("n", largest) ? pick("alpha", word(list, i), y) : NaN):(err(y."_sem")) \
      with yerrorlines ls i title "α = ".word(list, i)
    set ylabel "Δ_{i,BPD}"
    set yrange [0:0.6]
    plot for [i=1:words(list)] file using "at":(!several || same("n", largest) ? pick("alpha", word(list, i), "delta") : NaN):(err("delta_sem")) \
      with yerrorlines ls i title "α = ".word(list, i)
  }
}
unset multiplot
