# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,459 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb '#999999' lw 0.4 dt 3
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.21568627450980393
set size 1,0.7189542483660131
set margins 9,2,3.2,0.6
set title '' offset 0,-0.6
set xlabel 'step'
set ylabel 'valid.ppl'
set logscale x 10
set xrange [93.30329915368073:428.70938501451724]
set xtics norotate ('100' 100, '200' 200, '300' 300, '400' 400)
set logscale y 10
set yrange [28.938873997142313:30.31389542269778]
set ytics norotate ('29' 29, '29.5' 29.5, '30' 30)
$p0s0 << END | 100 30 30 30 | 200 29.125 29 29.25 | 300 30.125 30 30.25 | END
$p0s0level << END | 93.30329915368073 29.91 | 428.70938501451724 29.91 | END
$p0s1 << END | 100 30 30 30 | 200 29.125 29.125 29.125 | 300 30.125 30.125 30.125 | 400 30 30 30 | END
$p0s1level << END | 93.30329915368073 29.91 | 428.70938501451724 29.91 | END
$p0m0 << END | 300 30.125 m | END
$p0m1 << END | 400 30 m | END
plot $p0s0 using 1:3:4 with filledcurves lc rgb '#0072b2' notitle, \
     $p0s1 using 1:3:4 with filledcurves lc rgb '#d55e00' notitle, \
     $p0s0 using 1:2 with linespoints pt 7 ps 0.7 dt 1 lw 1.6 lc rgb '#0072b2' notitle, \
     $p0s0level using 1:2 with lines dt 3 lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s1 using 1:2 with linespoints pt 5 ps 0.7 dt 1 lw 1.6 lc rgb '#d55e00' notitle, \
     $p0s1level using 1:2 with lines dt 3 lw 1.2 lc rgb '#d55e00' notitle, \
     $p0m0 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#0072b2' notitle, \
     $p0m1 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#d55e00' notitle, \
     NaN notitle
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.11982570806100218
set size 1,0.09586056644880174
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 2
set label 1 'A title' at screen 0.5,0.9651416122004357 center font ',15'
set label 2 'band: from the lowest to the highest seed' at screen 0.013888888888888888,0.10348583877995643 left font ',10'
set label 3 'm fewer runs than planned, or than seeds elsewhere in the table' at screen 0.013888888888888888,0.07080610021786493 left font ',10'
set label 4 'paper: as printed in lcsm/table4-o-types' at screen 0.013888888888888888,0.03812636165577342 left font ',10'
plot NaN with linespoints pt 7 ps 0.7 dt 1 lw 1.6 lc rgb '#0072b2' title 'code = 1-10-1-0, steps = 300', \
     NaN with linespoints pt 5 ps 0.7 dt 1 lw 1.6 lc rgb '#d55e00' title 'code = 1-10-1-0, steps = 400', \
     NaN with lines dt 3 lw 1.2 lc rgb '#7a7a7a' title 'paper'
unset multiplot
