#include "lcsm/cpu/short_conv_cpu.h"

#include <algorithm>
#include <type_traits>

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

// The row of step t, which may be negative (a row of `before`); null: zeros.
template <class T>
HWY_INLINE const T* row_of(const ShortConv<T>& in, std::int64_t t) {
  if (t >= 0) return in.x + t * in.d;
  return in.before ? in.before + (in.taps - 1 + t) * in.d : nullptr;
}

// Rows of a block stay in the caches while every vector of channels passes over them.
constexpr std::int64_t kBlock = 64;

// Taps that a loop keeps in registers; more taps need further rounds.
constexpr std::int64_t kRound = 4;

// Calls work(first tap, number of taps); the number is a compile-time constant.
template <class Work>
HWY_INLINE void each_round(std::int64_t taps, const Work& work) {
  for (std::int64_t tap = 0; tap < taps; tap += kRound) switch (taps - tap) {
      case 1:
        work(tap, std::integral_constant<int, 1>());
        break;
      case 2:
        work(tap, std::integral_constant<int, 2>());
        break;
      case 3:
        work(tap, std::integral_constant<int, 3>());
        break;
      default:
        work(tap, std::integral_constant<int, kRound>());
    }
}

// The convolution of one vector of channels over a block of steps.
template <class T>
struct Pass {
  using V = hn::Vec<Tag<T>>;
  const ShortConv<T>& in;
  const Channels<T> at;
  const std::int64_t first, last;

  // y_t = b + sum of w_j x_(t-j), for steps whose rows all exist.
  void forward(std::int64_t from) const {
    const V bias = in.bias ? at.load(in.bias) : hn::Zero(Tag<T>());
    each_round(in.taps, [&](std::int64_t tap, auto count) {
      V w[count];
      for (int j = 0; j < count; ++j) w[j] = at.load(in.weight + (tap + j) * in.d);
      for (std::int64_t t = from; t < last; ++t) {
        V sum = tap == 0 ? bias : at.load(in.y + t * in.d);
        for (int j = 0; j < count; ++j)
          sum = hn::MulAdd(w[j], at.load(in.x + (t - tap - j) * in.d), sum);
        at.store(sum, in.y + t * in.d);
      }
    });
  }

  // y_t for a step that reaches back before the first row.
  void forward_at(std::int64_t t) const {
    V sum = in.bias ? at.load(in.bias) : hn::Zero(Tag<T>());
    for (std::int64_t j = 0; j < in.taps; ++j)
      if (const T* row = row_of(in, t - j))
        sum = hn::MulAdd(at.load(in.weight + j * in.d), at.load(row), sum);
    at.store(sum, in.y + t * in.d);
  }

  // d_x_t = sum of w_j d_y_(t+j), for steps whose rows all exist.
  void carry_back(std::int64_t until) const {
    each_round(in.taps, [&](std::int64_t tap, auto count) {
      V w[count];
      for (int j = 0; j < count; ++j) w[j] = at.load(in.weight + (tap + j) * in.d);
      for (std::int64_t t = first; t < until; ++t) {
        V sum = tap == 0 ? hn::Zero(Tag<T>()) : at.load(in.d_x + t * in.d);
        for (int j = 0; j < count; ++j)
          sum = hn::MulAdd(w[j], at.load(in.d_y + (t + tap + j) * in.d), sum);
        at.store(sum, in.d_x + t * in.d);
      }
    });
  }

  // d_x_t for one of the last steps, or for a row of `before` (t < 0).
  void carry_back_at(std::int64_t t, T* into) const {
    V sum = hn::Zero(Tag<T>());
    for (std::int64_t j = std::max<std::int64_t>(0, -t); j < std::min(in.taps, in.steps - t); ++j)
      sum = hn::MulAdd(at.load(in.weight + j * in.d), at.load(in.d_y + (t + j) * in.d), sum);
    at.store(sum, into);
  }

  // d_w_j += sum of d_y_t x_(t-j), for steps whose rows all exist.
  void add_weights(std::int64_t from) const {
    each_round(in.taps, [&](std::int64_t tap, auto count) {
      V sum[count];
      for (int j = 0; j < count; ++j) sum[j] = at.load(in.d_weight + (tap + j) * in.d);
      for (std::int64_t t = from; t < last; ++t) {
        const V d_y = at.load(in.d_y + t * in.d);
        for (int j = 0; j < count; ++j)
          sum[j] = hn::MulAdd(d_y, at.load(in.x + (t - tap - j) * in.d), sum[j]);
      }
      for (int j = 0; j < count; ++j) at.store(sum[j], in.d_weight + (tap + j) * in.d);
    });
  }

  void add_weights_at(std::int64_t t) const {
    for (std::int64_t j = 0; j < in.taps; ++j)
      if (const T* row = row_of(in, t - j)) {
        T* const sum = in.d_weight + j * in.d;
        at.store(hn::MulAdd(at.load(in.d_y + t * in.d), at.load(row), at.load(sum)), sum);
      }
  }

  void add_bias() const {
    V sum = at.load(in.d_bias);
    for (std::int64_t t = first; t < last; ++t) sum = hn::Add(sum, at.load(in.d_y + t * in.d));
    at.store(sum, in.d_bias);
  }
};

template <class T, class Work>
void each_pass(const ShortConv<T>& in, const Work& work) {
  for (std::int64_t t = 0; t < in.steps; t += kBlock)
    for (std::int64_t c = 0; c < in.d; c += static_cast<std::int64_t>(hn::Lanes(Tag<T>())))
      work(Pass<T>{in, {c, in.d}, t, std::min(t + kBlock, in.steps)});
}

template <class T>
void forward(const ShortConv<T>& in) {
  each_pass(in, [&](const Pass<T>& pass) {
    const std::int64_t full = std::clamp(in.taps - 1, pass.first, pass.last);
    for (std::int64_t t = pass.first; t < full; ++t) pass.forward_at(t);
    pass.forward(full);
  });
}

template <class T>
void backward(const ShortConv<T>& in) {
  std::fill_n(in.d_weight, in.taps * in.d, T(0));
  std::fill_n(in.d_bias, in.d, T(0));
  each_pass(in, [&](const Pass<T>& pass) {
    const std::int64_t full = std::clamp(in.taps - 1, pass.first, pass.last),
                       until = std::clamp(in.steps - in.taps + 1, pass.first, pass.last);
    pass.carry_back(until);
    for (std::int64_t t = until; t < pass.last; ++t) pass.carry_back_at(t, in.d_x + t * in.d);
    for (std::int64_t t = pass.first; t < full; ++t) pass.add_weights_at(t);
    pass.add_weights(full);
    pass.add_bias();
    if (in.d_before && pass.first == 0)
      for (std::int64_t n = 0; n < in.taps - 1; ++n)
        pass.carry_back_at(n - (in.taps - 1), in.d_before + n * in.d);
  });
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
