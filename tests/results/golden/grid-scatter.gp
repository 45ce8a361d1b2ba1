# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,426 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb '#999999' lw 0.4 dt 3
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.15492957746478875
set size 1,0.7746478873239436
set margins 9,2,3.2,0.6
set title '' offset 0,-0.6
set xlabel 'valid.ppl'
set ylabel 'test.ppl'
unset logscale x
set xrange [19.6:28.4]
set xtics norotate ('20' 20, '22' 22, '24' 24, '28' 28)
unset logscale y
set yrange [20.49:29.51]
set ytics norotate ('22' 22, '24' 24, '26' 26, '28' 28)
set label 'd = 64' at 20,21 left offset 0.6,-0.4 font ',10' tc rgb '#0072b2'
set label 'd = 128' at 22,23 left offset 0.6,-0.4 font ',10' tc rgb '#0072b2'
set label 'd = 64' at 24,25 left offset 0.6,-0.4 font ',10' tc rgb '#d55e00'
set label 'd = 128' at 28,29 right offset -0.6,-0.4 font ',10' tc rgb '#d55e00'
$p0s0 << END | 20 21 20.9 21.1 | 22 23 22.9 23.1 | END
$p0s1 << END | 24 25 24.9 25.1 | 28 29 28.9 29.1 | END
plot $p0s0 using 1:3:(0):($4-$3) with vectors nohead lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s1 using 1:3:(0):($4-$3) with vectors nohead lw 1.2 lc rgb '#d55e00' notitle, \
     $p0s0 using 1:2 with points pt 7 ps 0.7 lc rgb '#0072b2' notitle, \
     $p0s1 using 1:2 with points pt 5 ps 0.7 lc rgb '#d55e00' notitle, \
     NaN notitle
unset label
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.09389671361502347
set size 1,0.06103286384976526
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 7
set label 1 'Pairs' at screen 0.5,0.9624413145539906 center font ',15'
set label 2 'band: from the lowest to the highest seed' at screen 0.013888888888888888,0.07629107981220658 left font ',10'
set label 3 'optim.lr = 0.003, chosen by the mean over seeds of valid.ppl' at screen 0.013888888888888888,0.04107981220657277 left font ',10'
plot NaN with points pt 7 ps 0.7 lc rgb '#0072b2' title '1-1-1-0', \
     NaN with points pt 5 ps 0.7 lc rgb '#d55e00' title '1-9-1-0'
unset multiplot
