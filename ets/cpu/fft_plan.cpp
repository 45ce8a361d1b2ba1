#include <algorithm>
#include <cmath>
#include <numbers>

#include "ets/cpu/fft_conv_cpu.h"

namespace ets {

std::int64_t fft_points(std::int64_t length, std::int64_t K, std::int64_t directions,
                        std::int64_t lag) {
  const std::int64_t way = K - 1 + (directions == 2 ? lag : 0);
  return length + std::min(way, length - 1);
}

template <class T>
FftPlan<T>::FftPlan(std::int64_t least) {
  for (const std::int64_t small : {3, 4, 6, 8}) {
    std::int64_t size = 4 * small;
    while (size < least) size *= 4;
    if (n > 0 && size >= n) continue;
    n = size;
    leaf = small;
  }
  for (std::int64_t N = n; N > leaf; N /= 4) {
    std::vector<T>& level = factors.emplace_back();
    for (std::int64_t j = 0; j < N / 4; ++j)
      for (std::int64_t m = 1; m <= 3; ++m) {
        const double angle =
            -2 * std::numbers::pi * static_cast<double>(j * m) / static_cast<double>(N);
        level.push_back(static_cast<T>(std::cos(angle)));
        level.push_back(static_cast<T>(std::sin(angle)));
      }
  }
}

template struct FftPlan<float>;
template struct FftPlan<double>;

}  // namespace ets
