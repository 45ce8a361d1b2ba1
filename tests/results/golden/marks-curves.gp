# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,717 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb '#999999' lw 0.4 dt 3
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.497907949790795
set size 1,0.4602510460251046
set margins 9,2,3.2,0.6
set title '' offset 0,-0.6
set xlabel 'step'
set ylabel 'valid.ppl'
set logscale x 10
set xrange [93.30329915368073:428.70938501451724]
set xtics norotate ('100' 100, '200' 200, '300' 300, '400' 400)
set logscale y 10
set yrange [22.687046378787507:30.667279838178032]
set ytics norotate ('24' 24, '26' 26, '28' 28, '30' 30)
$p0s0 << END
100 30 30 30
200 25.125 25 25.25
300 26.125 26 26.25
END
$p0s0level << END
93.30329915368073 26.12
428.70938501451724 26.12
END
$p0s1 << END
100 30 30 30
200 23.125 23 23.25
300 24.125 24 24.25
END
$p0s1level << END
93.30329915368073 24.26
428.70938501451724 24.26
END
$p0s2 << END
100 30 30 30
200 27.875 27.75 28
300 28.875 28.75 29
END
$p0s2level << END
93.30329915368073 29.27
428.70938501451724 29.27
END
$p0s3 << END
100 30 30 30
200 27.125 27 27.25
300 28.125 28 28.25
END
$p0s3level << END
93.30329915368073 28.22
428.70938501451724 28.22
END
$p0s4 << END
100 30 30 30
200 26.0625 26 26.125
300 27.0625 27 27.125
END
$p0s4level << END
93.30329915368073 27.55
428.70938501451724 27.55
END
$p0s5 << END
100 30 30 30
200 28.0625 28 28.125
300 29.0625 29 29.125
END
$p0s5level << END
93.30329915368073 29.01
428.70938501451724 29.01
END
$p0s6 << END
100 30 30 30
200 24.0625 24 24.125
300 25.0625 25 25.125
END
$p0s6level << END
93.30329915368073 25.02
428.70938501451724 25.02
END
$p0s7 << END
100 30 30 30
200 23.8625 23.8 23.925
300 24.8625 24.8 24.925
END
$p0s7level << END
93.30329915368073 24.82
428.70938501451724 24.82
END
$p0s8 << END
100 30 30 30
200 23.7625 23.7 23.825
300 24.7625 24.7 24.825
END
$p0s8level << END
93.30329915368073 24.71
428.70938501451724 24.71
END
$p0s9 << END
100 30 30 30
200 23.325 23.2 23.45
300 24.15833333333333 23.825 24.45
END
$p0s9level << END
93.30329915368073 24.23
428.70938501451724 24.23
END
$p0s10 << END
100 30 30 30
200 29.125 29 29.25
300 30.125 30 30.25
END
$p0s10level << END
93.30329915368073 29.91
428.70938501451724 29.91
END
$p0s11 << END
100 30 30 30
200 29.125 29.125 29.125
300 30.125 30.125 30.125
400 30 30 30
END
$p0s11level << END
93.30329915368073 29.91
428.70938501451724 29.91
END
$p0s12 << END
100 30 30 30
200 28.1875 28.125 28.25
300 29.1875 29.125 29.25
END
$p0s12level << END
93.30329915368073 28.6
428.70938501451724 28.6
END
$p0s13 << END
100 30 30 30
200 28 28 28
300 29 29 29
END
$p0s13level << END
93.30329915368073 28.6
428.70938501451724 28.6
END
$p0m2 << END
300 28.875 e
END
$p0m3 << END
300 28.125 m
END
$p0m4 << END
300 27.0625 f
END
$p0m5 << END
300 29.0625 o
END
$p0m6 << END
300 25.0625 d
END
$p0m7 << END
300 24.8625 r
END
$p0m8 << END
300 24.7625 iet
END
$p0m9 << END
300 24.15833333333333 v
END
$p0m10 << END
300 30.125 m
END
$p0m11 << END
400 30 m
END
$p0m12 << END
300 29.1875 m
END
$p0m13 << END
300 29 ms
END
plot $p0s0 using 1:3:4 with filledcurves lc rgb '#0072b2' notitle, \
     $p0s0 using 1:2 with linespoints pt 7 ps 0.7 dt 1 lw 1.6 lc rgb '#0072b2' notitle, \
     $p0s0level using 1:2 with lines dt 3 lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s1 using 1:3:4 with filledcurves lc rgb '#d55e00' notitle, \
     $p0s1 using 1:2 with linespoints pt 5 ps 0.7 dt 1 lw 1.6 lc rgb '#d55e00' notitle, \
     $p0s1level using 1:2 with lines dt 3 lw 1.2 lc rgb '#d55e00' notitle, \
     $p0s2 using 1:3:4 with filledcurves lc rgb '#009e73' notitle, \
     $p0s2 using 1:2 with linespoints pt 9 ps 0.7 dt 1 lw 1.6 lc rgb '#009e73' notitle, \
     $p0s2level using 1:2 with lines dt 3 lw 1.2 lc rgb '#009e73' notitle, \
     $p0s3 using 1:3:4 with filledcurves lc rgb '#c264a0' notitle, \
     $p0s3 using 1:2 with linespoints pt 11 ps 0.7 dt 1 lw 1.6 lc rgb '#c264a0' notitle, \
     $p0s3level using 1:2 with lines dt 3 lw 1.2 lc rgb '#c264a0' notitle, \
     $p0s4 using 1:3:4 with filledcurves lc rgb '#7a7a7a' notitle, \
     $p0s4 using 1:2 with linespoints pt 13 ps 0.7 dt 1 lw 1.6 lc rgb '#7a7a7a' notitle, \
     $p0s4level using 1:2 with lines dt 3 lw 1.2 lc rgb '#7a7a7a' notitle, \
     $p0s5 using 1:3:4 with filledcurves lc rgb '#9a7400' notitle, \
     $p0s5 using 1:2 with linespoints pt 15 ps 0.7 dt 1 lw 1.6 lc rgb '#9a7400' notitle, \
     $p0s5level using 1:2 with lines dt 3 lw 1.2 lc rgb '#9a7400' notitle, \
     $p0s6 using 1:3:4 with filledcurves lc rgb '#0072b2' notitle, \
     $p0s6 using 1:2 with linespoints pt 6 ps 0.7 dt 2 lw 1.6 lc rgb '#0072b2' notitle, \
     $p0s6level using 1:2 with lines dt 3 lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s7 using 1:3:4 with filledcurves lc rgb '#d55e00' notitle, \
     $p0s7 using 1:2 with linespoints pt 4 ps 0.7 dt 2 lw 1.6 lc rgb '#d55e00' notitle, \
     $p0s7level using 1:2 with lines dt 3 lw 1.2 lc rgb '#d55e00' notitle, \
     $p0s8 using 1:3:4 with filledcurves lc rgb '#009e73' notitle, \
     $p0s8 using 1:2 with linespoints pt 8 ps 0.7 dt 2 lw 1.6 lc rgb '#009e73' notitle, \
     $p0s8level using 1:2 with lines dt 3 lw 1.2 lc rgb '#009e73' notitle, \
     $p0s9 using 1:3:4 with filledcurves lc rgb '#c264a0' notitle, \
     $p0s9 using 1:2 with linespoints pt 10 ps 0.7 dt 2 lw 1.6 lc rgb '#c264a0' notitle, \
     $p0s9level using 1:2 with lines dt 3 lw 1.2 lc rgb '#c264a0' notitle, \
     $p0s10 using 1:3:4 with filledcurves lc rgb '#7a7a7a' notitle, \
     $p0s10 using 1:2 with linespoints pt 12 ps 0.7 dt 2 lw 1.6 lc rgb '#7a7a7a' notitle, \
     $p0s10level using 1:2 with lines dt 3 lw 1.2 lc rgb '#7a7a7a' notitle, \
     $p0s11 using 1:3:4 with filledcurves lc rgb '#9a7400' notitle, \
     $p0s11 using 1:2 with linespoints pt 14 ps 0.7 dt 2 lw 1.6 lc rgb '#9a7400' notitle, \
     $p0s11level using 1:2 with lines dt 3 lw 1.2 lc rgb '#9a7400' notitle, \
     $p0s12 using 1:3:4 with filledcurves lc rgb '#0072b2' notitle, \
     $p0s12 using 1:2 with linespoints pt 7 ps 0.7 dt 4 lw 1.6 lc rgb '#0072b2' notitle, \
     $p0s12level using 1:2 with lines dt 3 lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s13 using 1:3:4 with filledcurves lc rgb '#d55e00' notitle, \
     $p0s13 using 1:2 with linespoints pt 5 ps 0.7 dt 4 lw 1.6 lc rgb '#d55e00' notitle, \
     $p0s13level using 1:2 with lines dt 3 lw 1.2 lc rgb '#d55e00' notitle, \
     $p0m2 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#009e73' notitle, \
     $p0m3 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#c264a0' notitle, \
     $p0m4 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#7a7a7a' notitle, \
     $p0m5 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#9a7400' notitle, \
     $p0m6 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#0072b2' notitle, \
     $p0m7 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#d55e00' notitle, \
     $p0m8 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#009e73' notitle, \
     $p0m9 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#c264a0' notitle, \
     $p0m10 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#7a7a7a' notitle, \
     $p0m11 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#9a7400' notitle, \
     $p0m12 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#0072b2' notitle, \
     $p0m13 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#d55e00' notitle, \
     NaN notitle
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.2859135285913529
set size 1,0.21199442119944212
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 2
set label 1 'A title' at screen 0.5,0.9776847977684798 center font ',15'
set label 2 'band: from the lowest to the highest seed' at screen 0.013888888888888888,0.2754532775453278 left font ',10'
set label 3 'optim.lr chosen by the mean over seeds of valid.ppl' at screen 0.013888888888888888,0.25453277545327757 left font ',10'
set label 4 'm fewer runs than planned, or than seeds elsewhere in the table' at screen 0.013888888888888888,0.23361227336122736 left font ',10'
set label 5 'f a run failed' at screen 0.013888888888888888,0.21269177126917715 left font ',10'
set label 6 'o a run ran out of memory' at screen 0.013888888888888888,0.19177126917712695 left font ',10'
set label 7 'd a run diverged' at screen 0.013888888888888888,0.17085076708507674 left font ',10'
set label 8 'r a run has not ended' at screen 0.013888888888888888,0.14993026499302653 left font ',10'
set label 9 'i a run was interrupted' at screen 0.013888888888888888,0.12900976290097632 left font ',10'
set label 10 'e the best value is at the edge of those tried' at screen 0.013888888888888888,0.10808926080892611 left font ',10'
set label 11 't runs of another candidate value are missing or have not ended' at screen 0.013888888888888888,0.0871687587168759 left font ',10'
set label 12 'v runs of different program versions' at screen 0.013888888888888888,0.0662482566248257 left font ',10'
set label 13 's a run stopped early: fewer steps than configured' at screen 0.013888888888888888,0.04532775453277549 left font ',10'
set label 14 'paper: as printed in lcsm/table4-o-types' at screen 0.013888888888888888,0.02440725244072528 left font ',10'
plot NaN with linespoints pt 7 ps 0.7 dt 1 lw 1.6 lc rgb '#0072b2' title 'code = 1-0-1-0, steps = 300', \
     NaN with linespoints pt 5 ps 0.7 dt 1 lw 1.6 lc rgb '#d55e00' title 'code = 1-1-1-0, steps = 300', \
     NaN with linespoints pt 9 ps 0.7 dt 1 lw 1.6 lc rgb '#009e73' title 'code = 1-2-1-0, steps = 300', \
     NaN with linespoints pt 11 ps 0.7 dt 1 lw 1.6 lc rgb '#c264a0' title 'code = 1-3-1-0, steps = 300', \
     NaN with linespoints pt 13 ps 0.7 dt 1 lw 1.6 lc rgb '#7a7a7a' title 'code = 1-4-1-0, steps = 300', \
     NaN with linespoints pt 15 ps 0.7 dt 1 lw 1.6 lc rgb '#9a7400' title 'code = 1-5-1-0, steps = 300', \
     NaN with linespoints pt 6 ps 0.7 dt 2 lw 1.6 lc rgb '#0072b2' title 'code = 1-6-1-0, steps = 300', \
     NaN with linespoints pt 4 ps 0.7 dt 2 lw 1.6 lc rgb '#d55e00' title 'code = 1-7-1-0, steps = 300', \
     NaN with linespoints pt 8 ps 0.7 dt 2 lw 1.6 lc rgb '#009e73' title 'code = 1-8-1-0, steps = 300', \
     NaN with linespoints pt 10 ps 0.7 dt 2 lw 1.6 lc rgb '#c264a0' title 'code = 1-9-1-0, steps = 300', \
     NaN with linespoints pt 12 ps 0.7 dt 2 lw 1.6 lc rgb '#7a7a7a' title 'code = 1-10-1-0, steps = 300', \
     NaN with linespoints pt 14 ps 0.7 dt 2 lw 1.6 lc rgb '#9a7400' title 'code = 1-10-1-0, steps = 400', \
     NaN with linespoints pt 7 ps 0.7 dt 4 lw 1.6 lc rgb '#0072b2' title 'code = 1-11-1-0, d = 32, steps = 300', \
     NaN with linespoints pt 5 ps 0.7 dt 4 lw 1.6 lc rgb '#d55e00' title 'code = 1-11-1-0, d = 64, steps = 900', \
     NaN with lines dt 3 lw 1.2 lc rgb '#7a7a7a' title 'paper'
unset multiplot
