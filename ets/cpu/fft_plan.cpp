#include <algorithm>
#include <cmath>
#include <numbers>

#include "ets/cpu/fft_conv_cpu.h"

namespace ets {
namespace {

// The order in which a step by R leaves its blocks: even ones first if R is 6 or 8.
std::int64_t place(std::int64_t R, std::int64_t s) { return R > 4 ? 2 * s % R + 2 * s / R : s; }

}  // namespace

template <class T>
FftPlan<T>::FftPlan(std::int64_t least) {
  for (const std::int64_t small : {3, 4, 6, 8}) {
    std::int64_t size = 4 * small;
    while (size < least) size *= 4;
    if (n > 0 && size >= n) continue;
    n = size;
    first = small;
  }
  // Blocks are modulo z^N - exp(-2 pi i angle); the first, modulo z^n + i.
  std::vector<double> angles = {0.25};
  for (std::int64_t N = n, R = first; N > 1; N /= R, R = 4) {
    std::vector<T>& level = factors.emplace_back();
    std::vector<double> next;
    for (const double angle : angles) {
      for (std::int64_t p = 1; p < R; ++p) {
        const double turn =
            -2 * std::numbers::pi * static_cast<double>(p) * angle / static_cast<double>(R);
        level.push_back(static_cast<T>(std::cos(turn)));
        level.push_back(static_cast<T>(std::sin(turn)));
      }
      for (std::int64_t s = 0; s < R; ++s)
        next.push_back((angle + static_cast<double>(place(R, s))) / static_cast<double>(R));
    }
    angles = std::move(next);
  }
}

template <class T>
std::int64_t fft_group(std::int64_t points, std::int64_t D, std::int64_t threads) {
  constexpr std::int64_t kLine = 64 / sizeof(T), kMost = 8, kPoints = 1 << 15;  // 4 MB of them
  std::int64_t lines = std::clamp<std::int64_t>(kPoints / points, 1, kMost);
  while (lines > 1 && (D + lines * kLine - 1) / (lines * kLine) < threads) lines /= 2;
  return lines * kLine;
}

template std::int64_t fft_group<float>(std::int64_t, std::int64_t, std::int64_t);
template std::int64_t fft_group<double>(std::int64_t, std::int64_t, std::int64_t);
template struct FftPlan<float>;
template struct FftPlan<double>;

}  // namespace ets
