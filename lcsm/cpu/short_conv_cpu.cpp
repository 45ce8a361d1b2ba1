#include "lcsm/cpu/short_conv_cpu.h"

#include <algorithm>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/short_conv_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/channels_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
using Tag = hn::ScalableTag<T>;

// The row of step t, which may be before the first; null: zeros.
template <class T>
HWY_INLINE const T* row_of(const ShortConv<T>& in, std::int64_t t) {
  if (t >= 0) return in.x + t * in.d;
  return in.before ? in.before + (in.taps - 1 + t) * in.d : nullptr;
}

// Taps that a loop keeps in registers; more are added in further rounds.
constexpr std::int64_t kRound = 4;

// y_t += sum of w_j x_(t-j) over the taps of a round, which all have their rows.
template <class T, int kTaps>
void add_taps(const ShortConv<T>& in, const Channels<T>& at, std::int64_t tap, std::int64_t from,
              bool begins) {
  const Tag<T> d;
  hn::Vec<Tag<T>> w[kTaps];
  for (int j = 0; j < kTaps; ++j) w[j] = at.load(in.weight + (tap + j) * in.d);
  const auto bias = in.bias ? at.load(in.bias) : hn::Zero(d);
  for (std::int64_t t = from; t < in.steps; ++t) {
    auto sum = begins ? bias : at.load(in.y + t * in.d);
    for (int j = 0; j < kTaps; ++j)
      sum = hn::MulAdd(w[j], at.load(in.x + (t - tap - j) * in.d), sum);
    at.store(sum, in.y + t * in.d);
  }
}

// One step, some of whose rows lie before the first.
template <class T>
void first_step(const ShortConv<T>& in, const Channels<T>& at, std::int64_t t) {
  const Tag<T> d;
  auto sum = in.bias ? at.load(in.bias) : hn::Zero(d);
  for (std::int64_t j = 0; j < in.taps; ++j)
    if (const T* row = row_of(in, t - j))
      sum = hn::MulAdd(at.load(in.weight + j * in.d), at.load(row), sum);
  at.store(sum, in.y + t * in.d);
}

template <class T>
void forward(const ShortConv<T>& in) {
  const std::int64_t full = std::min(in.taps - 1, in.steps);
  for (std::int64_t c = 0; c < in.d; c += static_cast<std::int64_t>(hn::Lanes(Tag<T>()))) {
    const Channels<T> at(c, in.d);
    for (std::int64_t t = 0; t < full; ++t) first_step(in, at, t);
    for (std::int64_t tap = 0; tap < in.taps; tap += kRound) {
      const bool begins = tap == 0;
      switch (std::min(in.taps - tap, kRound)) {
        case 1:
          add_taps<T, 1>(in, at, tap, full, begins);
          break;
        case 2:
          add_taps<T, 2>(in, at, tap, full, begins);
          break;
        case 3:
          add_taps<T, 3>(in, at, tap, full, begins);
          break;
        default:
          add_taps<T, 4>(in, at, tap, full, begins);
      }
    }
  }
}

// d_x_t = sum of w_j d_y_(t+j), of steps before the first too.
template <class T>
HWY_INLINE void carry_back(const ShortConv<T>& in, const Channels<T>& at, std::int64_t t, T* into) {
  auto sum = hn::Zero(Tag<T>());
  for (std::int64_t j = std::max<std::int64_t>(0, -t); j < std::min(in.taps, in.steps - t); ++j)
    sum = hn::MulAdd(at.load(in.weight + j * in.d), at.load(in.d_y + (t + j) * in.d), sum);
  at.store(sum, into);
}

template <class T>
void backward(const ShortConv<T>& in) {
  const Tag<T> d;
  for (std::int64_t c = 0; c < in.d; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    const Channels<T> at(c, in.d);
    for (std::int64_t t = 0; t < in.steps; ++t) carry_back(in, at, t, in.d_x + t * in.d);
    if (in.d_before)
      for (std::int64_t n = 0; n < in.taps - 1; ++n)
        carry_back(in, at, n - (in.taps - 1), in.d_before + n * in.d);
    for (std::int64_t j = 0; j < in.taps; ++j) {
      auto sum = hn::Zero(d);
      for (std::int64_t t = 0; t < in.steps; ++t)
        if (const T* row = row_of(in, t - j))
          sum = hn::MulAdd(at.load(in.d_y + t * in.d), at.load(row), sum);
      at.store(sum, in.d_weight + j * in.d);
    }
    auto sum = hn::Zero(d);
    for (std::int64_t t = 0; t < in.steps; ++t) sum = hn::Add(sum, at.load(in.d_y + t * in.d));
    at.store(sum, in.d_bias);
  }
}

template <class T>
ShortConvKernels<T> kernels_of() {
  return {forward<T>, backward<T>};
}
ShortConvKernels<float> float_kernels() { return kernels_of<float>(); }
ShortConvKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {
LCSM_CHOOSE_KERNELS(ShortConvKernels, short_conv_kernels)
}  // namespace lcsm
#endif
