# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,423 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb '#999999' lw 0.4 dt 3
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.14893617021276595
set size 1,0.7801418439716312
set margins 9,2,3.2,0.6
set title '' offset 0,-0.6
set xlabel 'parameter'
set ylabel 'share of variance'
unset logscale x
set xrange [-0.5:3.5]
set xtics norotate ('model.code' 0, 'model.d' 1, 'optim.lr' 2, 'interactions' 3)
unset logscale y
set yrange [0:0.6864258760107816]
set ytics norotate ('0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6000000000000001)
$p0b0 << END | 0 0.6064690026954177 29362 | 1 0.21832884097035038 29362 | 2 0.15094339622641506 29362 | 3 0.0242587601078168 8026746 | END
$p0b0n << END | 0 0.6064690026954177 0.606 | 1 0.21832884097035038 0.218 | 2 0.15094339622641506 0.151 | 3 0.0242587601078168 0.024 | END
plot $p0b0 using 1:2:(0.6):3 with boxes fs solid 1 noborder lc rgb variable notitle, \
     $p0b0n using 1:2:3 with labels center offset 0,0.6 font ',10' tc rgb '#000000' notitle, \
     NaN notitle
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.13002364066193853
set size 1,0.018912529550827423
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 14
set label 1 'Shares' at screen 0.5,0.9621749408983451 center font ',15'
set label 2 'seeds explain about 0.097 % of the variance of the means: smaller shares may be chance' at screen 0.013888888888888888,0.11229314420803782 left font ',10'
set label 3 'share of the variance of valid.ppl, means over seeds, that the mean for each value of the parameter explains (main effects' at screen 0.013888888888888888,0.0768321513002364 left font ',10'
set label 4 '  of the functional ANOVA)' at screen 0.013888888888888888,0.04137115839243498 left font ',10'
plot NaN notitle
unset multiplot
