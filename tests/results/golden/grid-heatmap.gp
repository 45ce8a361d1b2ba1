# written by lcsm figure; needs gnuplot 5.4 or newer
set encoding utf8
set terminal svg noenhanced font 'sans-serif,12' size 720,318 background '#ffffff'
set multiplot
set border 3 lw 0.8
set tics nomirror out scale 0.6
unset key
set style fill transparent solid 0.3 noborder
set origin 0,0.1823899371069182
set size 0.5,0.7232704402515723
set margins 9,2,3.2,1.8
set title 'code = 1-1-1-0' offset 0,-0.6
set xlabel 'optim.lr'
set ylabel 'model.d'
unset logscale x
set xrange [-0.5:2.5]
set xtics norotate ('0.001' 0, '0.003' 1, '0.01' 2)
unset logscale y
set yrange [1.5:-0.5]
set ytics norotate ('64' 0, '128' 1)
$p0c0 << END | 0 0 3692684 | 1 0 4456788 | 2 0 4596080 | 0 1 2459277 | 1 1 4341378 | 2 1 3692684 | END
$p0c0n << END | 0 0 "23.00" 16777215 | 1 0 "20.00" 16777215 | 2 0 "21.00" 16777215 | 0 1 "25.00" 1052688 | 1 1 "22.00" 16777215 | 2 1 "23.00" 16777215 | END
plot $p0c0 using 1:2:(0.48):(0.48):3 with boxxyerror fs solid 1 noborder lc rgb variable notitle, \
     $p0c0n using 1:2:3:4 with labels font ',10' tc rgb variable notitle, \
     NaN notitle
set origin 0.5,0.1823899371069182
set size 0.5,0.7232704402515723
set margins 9,2,3.2,1.8
set title 'code = 1-9-1-0' offset 0,-0.6
set xlabel 'optim.lr'
set ylabel 'model.d'
unset logscale x
set xrange [-0.5:2.5]
set xtics norotate ('0.001' 0, '0.003' 1, '0.01' 2)
unset logscale y
set yrange [1.5:-0.5]
set ytics norotate ('64' 0, '128' 1)
$p1c0 << END | 0 0 2994301 | 1 0 2977678 | 2 0 2459277 | 0 1 16639781 | 1 1 5555303 | 2 1 9032519 | END
$p1c0n << END | 0 0 "27.00" 1052688 | 1 0 "24.00" 16777215 | 2 0 "25.00" 1052688 | 0 1 "31.00" 1052688 | 1 1 "28.00" 1052688 | 2 1 "29.00" 1052688 | END
plot $p1c0 using 1:2:(0.48):(0.48):3 with boxxyerror fs solid 1 noborder lc rgb variable notitle, \
     $p1c0n using 1:2:3:4 with labels font ',10' tc rgb variable notitle, \
     NaN notitle
unset title; unset xlabel; unset ylabel; unset border; unset tics; unset grid
unset logscale x; unset logscale y
set origin 0,0.031446540880503145
set size 1,0.1509433962264151
set margins 0,0,0,0
set xrange [0:1]; set yrange [0:1]
set key center center horizontal Left reverse samplen 3 maxcols 5
set label 1 'Cells' at screen 0.5,0.949685534591195 center font ',15'
$bar << END | 0.35312499999999997 4457558 | 0.359375 4524379 | 0.365625 4525920 | 0.37187499999999996 4527205 | 0.378125 4594282 | 0.38437499999999997 4595567 | 0.390625 4597108 | 0.396875 4663929 | 0.40312499999999996 4599676 | 0.409375 4535422 | 0.41562499999999997 4405632 | 0.421875 4341122 | 0.428125 4211332 | 0.43437499999999996 4146822 | 0.440625 4017032 | 0.44687499999999997 3952778 | 0.453125 3822731 | 0.459375 3692684 | 0.46562499999999996 3562636 | 0.471875 3432588 | 0.478125 3368077 | 0.484375 3238029 | 0.490625 3107981 | 0.49687499999999996 2977934 | 0.503125 2847886 | 0.509375 2783374 | 0.515625 2718861 | 0.521875 2588813 | 0.528125 2524045 | 0.534375 2393997 | 0.540625 2329484 | 0.546875 2264972 | 0.553125 2200459 | 0.559375 2266762 | 0.565625 2333320 | 0.571875 2399879 | 0.578125 2466181 | 0.584375 2532740 | 0.590625 2599298 | 0.596875 2665601 | 0.6031249999999999 2863230 | 0.609375 3322746 | 0.615625 3782263 | 0.621875 4242035 | 0.628125 4636015 | 0.6343749999999999 5095787 | 0.640625 5555304 | 0.646875 6014820 | 0.653125 6539871 | 0.659375 7195993 | 0.665625 7851858 | 0.671875 8507724 | 0.678125 9098310 | 0.684375 9754176 | 0.690625 10410041 | 0.696875 11066163 | 0.703125 11722031 | 0.709375 12377646 | 0.715625 13033261 | 0.721875 13689131 | 0.728125 14344746 | 0.734375 15000616 | 0.740625 15656231 | 0.746875 16311846 | END
set label '20' at 0.35,0.22 center font ',10'
set label '25.5' at 0.55,0.22 center font ',10'
set label '31' at 0.75,0.22 center font ',10'
set label 'valid.ppl' at 0.32999999999999996,0.72 right
plot $bar using 1:(0.72):(0.003125):(0.24):2 with boxxyerror fs solid 1 noborder lc rgb variable notitle
unset multiplot
