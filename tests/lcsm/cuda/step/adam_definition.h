// A step of Adam over flat numbers, with the roundings of the vectors of LibTorch's fused kernels
// on a CPU. optimizer_test compares the two.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "lcsm/cuda/step/adam_cuda.h"

namespace lcsm::test {

struct AdamSettings {
  double beta1 = 0.9, beta2 = 0.98, eps = 1e-8, clip = 0;
  bool decoupled = true;
};

template <class T>
struct AdamNumbers {
  std::vector<T> values, means, squares;
};

inline double norm_of(const std::vector<float>& all) {
  double sum = 0;
  for (const float x : all) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

template <class T>
void update_one(const AdamSettings& s, double decay, double rate, long long n, T g, T* value,
                T* mean, T* square) {
  const double bias = 1 - std::pow(s.beta1, n), root = std::sqrt(1 - std::pow(s.beta2, n));
  if (decay != 0 && s.decoupled) *value *= static_cast<T>(1 - rate * decay);
  if (decay != 0 && !s.decoupled) g = std::fma(*value, static_cast<T>(decay), g);
  const auto share = static_cast<T>(1 - s.beta1);
  *mean = share < T(0.5) ? std::fma(share, g - *mean, *mean) : std::fma(share - 1, g - *mean, g);
  const T scaled = static_cast<T>(1 - s.beta2) * g;
  *square = std::fma(scaled, g, *square * static_cast<T>(s.beta2));
  const T below = std::sqrt(*square) / static_cast<T>(root) + static_cast<T>(s.eps);
  *value += static_cast<T>(-rate / bias) * *mean / below;
}

// The n-th step, for which the norm of gradients may exceed the clip.
template <class T>
void update(const AdamSettings& s, const std::vector<AdamRangeCuda>& ranges,
            const std::vector<float>& gradients, double rate, double norm, long long n,
            AdamNumbers<T>* all) {
  const bool clips = s.clip > 0 && norm > s.clip;
  const auto scale = static_cast<T>(clips ? s.clip / (norm + kAdamClipEpsilon) : 1);
  long long at = 0;
  for (const AdamRangeCuda& range : ranges)
    for (; at < range.end; ++at) {
      const auto k = static_cast<std::size_t>(at);
      update_one<T>(s, range.decay, rate * range.rate, n, static_cast<T>(gradients[k]) * scale,
                    &all->values[k], &all->means[k], &all->squares[k]);
    }
}

}  // namespace lcsm::test
