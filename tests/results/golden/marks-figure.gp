# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,656 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
set grid ytics lc rgb '#999999' lw 0.4 dt 3
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.39658536585365844
set size 1,0.5576829268292683
set margins 9,2.3326190476190476,5.191111111111112,0.6
set title '' offset 0,-0.6
set xlabel 'model.code'
set ylabel 'valid.ppl'
unset logscale x
set xrange [-0.5:11.5]
set xtics rotate by -40 ('1-0-1-0' 0, '1-1-1-0' 1, '1-2-1-0' 2, '1-3-1-0' 3, '1-4-1-0' 4, '1-5-1-0' 5, '1-6-1-0' 6, '1-7-1-0' 7, '1-8-1-0' 8, '1-9-1-0' 9, '1-10-1-0' 10, '1-11-1-0' 11)
unset logscale y
set yrange [23.50375:30.57125]
set ytics norotate ('24' 24, '26' 26, '28' 28, '30' 30)
$p0s0 << END | 0 26.125 26.015625 26.25 | 1 24.125 24 24.25 | 2 28.875 28.75 29 | 3 28.125 28 28.25 | 4 27.0625 27 27.125 | 5 29.0625 29 29.125 | 6 25.0625 25 25.125 | 7 24.8625 24.8 24.925 | 8 24.7625 24.7 24.825 | 9 24.15833333333333 23.825 24.45 | 10 30.083333333333332 30 30.25 | 11 29.125 29 29.25 | END
$p0s0paper << END | 0 26.12 | 1 24.26 | 2 29.27 | 3 28.22 | 4 27.55 | 5 29.01 | 6 25.02 | 7 24.82 | 8 24.71 | 9 24.23 | 10 29.91 | 11 28.6 | END
$p0m0 << END | 2 28.875 e | 3 28.125 m | 4 27.0625 f | 5 29.0625 o | 6 25.0625 d | 7 24.8625 r | 8 24.7625 i,e,t | 9 24.15833333333333 v | 10 30.083333333333332 b | 11 29.125 b,s,x | END
plot $p0s0 using 1:3:(0):($4-$3) with vectors nohead lw 1.2 lc rgb '#0072b2' notitle, \
     $p0s0 using 1:2 with points pt 7 ps 0.7 lc rgb '#0072b2' notitle, \
     $p0s0paper using 1:2 with points pt 2 ps 0.9 lw 1.2 lc rgb '#000000' notitle, \
     $p0m0 using 1:2:3 with labels left offset 0.6,0.5 font ',10' tc rgb '#0072b2' notitle, \
     NaN notitle
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.35823170731707316
set size 1,0.039634146341463415
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 5
set label 1 'A title' at screen 0.5,0.975609756097561 center font ',15'
set label 2 'band: from the lowest to the highest seed' at screen 0.013888888888888888,0.3467987804878049 left font ',10'
set label 3 'optim.lr chosen by the mean over seeds of valid.ppl' at screen 0.013888888888888888,0.3239329268292683 left font ',10'
set label 4 'm fewer runs than planned, or than seeds elsewhere in the table' at screen 0.013888888888888888,0.3010670731707317 left font ',10'
set label 5 'f a run failed' at screen 0.013888888888888888,0.2782012195121951 left font ',10'
set label 6 'o a run ran out of memory' at screen 0.013888888888888888,0.25533536585365857 left font ',10'
set label 7 'd a run diverged' at screen 0.013888888888888888,0.23246951219512196 left font ',10'
set label 8 'r a run has not ended' at screen 0.013888888888888888,0.20960365853658536 left font ',10'
set label 9 'i a run was interrupted' at screen 0.013888888888888888,0.18673780487804878 left font ',10'
set label 10 'e the best value is at the edge of those tried' at screen 0.013888888888888888,0.1638719512195122 left font ',10'
set label 11 't runs of another candidate value are missing, failed or have not ended' at screen 0.013888888888888888,0.14100609756097562 left font ',10'
set label 12 'v runs of different program versions' at screen 0.013888888888888888,0.11814024390243905 left font ',10'
set label 13 'b runs of different budgets' at screen 0.013888888888888888,0.09527439024390244 left font ',10'
set label 14 's a run stopped early: fewer steps than configured' at screen 0.013888888888888888,0.07240853658536583 left font ',10'
set label 15 'x runs that differ in another parameter: model.d' at screen 0.013888888888888888,0.049542682926829285 left font ',10'
set label 16 'paper: as printed in lcsm/table4-o-types' at screen 0.013888888888888888,0.02667682926829268 left font ',10'
plot NaN with points pt 2 ps 0.9 lw 1.2 lc rgb '#000000' title 'paper'
unset multiplot
