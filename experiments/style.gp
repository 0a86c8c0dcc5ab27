# Common to all figures: lines that differ without colour, and picking rows.
set encoding utf8
set datafile separator "\t"
set datafile columnheaders
set border 3
set tics nomirror out
set ylabel offset 1,0
set xlabel offset 0,0.6
set errorbars 0.6
set pointintervalbox 0
set offsets graph 0, graph 0.02, graph 0.3, graph 0 # room for the key
set key top right samplen 2.5 spacing 1.05 noautotitle
set style increment user
do for [i=1:8] {
  eval sprintf("set style line %d lw 1.6 ps 0.7 dt %d pt %d lc rgb '%s'", i, \
    word("1 2 4 5 3 1 2 4", i) + 0, word("7 5 9 4 6 11 13 8", i) + 0, \
    word("#000000 #1f4e9c #b5332a #3a7d44 #7a4fa3 #8c6d1f #008080 #777777", i))
}
# Lines of theory: no points.
do for [i=1:8] {
  eval sprintf("set style line %d lw 1.2 ps 0 dt %d lc rgb '%s'", 10 + i, \
    word("1 2 4 5 3 1 2 4", i) + 0, word("#888888 #7f9ccb #d98f89 #8fbf97 #b59cd0 #c4ad6f #7fbfbf #aaaaaa", i))
}
# Where the paper has two or three values: blue, red, black.
paper(i) = word("2 3 1", i) + 0
# The symbol of style i, not filled.
hollow(i) = i == 1 ? 6 : i == 2 ? 4 : i == 3 ? 8 : 12
# A column where another column has this text, nothing elsewhere.
same(name, text) = (stringcolumn(name) eq text)
pick(name, text, y) = same(name, text) ? column(y) : NaN
pick2(n1, t1, n2, t2, y) = same(n1, t1) && same(n2, t2) ? column(y) : NaN
panel(letter, text) = sprintf("(%s) %s", letter, text)
# Whole decades around a range, with `room` more of them above for the key.
decade_below(y) = 10**floor(log10(y))
decade_above(y, room) = 10**(ceil(log10(y)) + room)
# A standard error; 0 where a single instance has none.
err(name) = column(name) == column(name) ? column(name) : 0
