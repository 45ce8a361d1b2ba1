#include "lcsm/cpu/wkv_cpu.h"

#include <limits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/wkv_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/channels_cpu-inl.h"
#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// sigmoid(x) and sigmoid(-x), and exp(-|x|).
template <class T>
struct Shares {
  hn::Vec<Tag<T>> of, rest, small;
};

template <class T>
HWY_INLINE Shares<T> shares(hn::Vec<Tag<T>> x) {
  const Tag<T> d;
  const auto one = hn::Set(d, T(1)), small = exp_of(d, hn::Neg(hn::Abs(x)));
  const auto greater = hn::Div(one, hn::Add(one, small)), lesser = hn::Mul(small, greater);
  const auto positive = hn::Ge(x, hn::Zero(d));
  return {hn::IfThenElse(positive, greater, lesser), hn::IfThenElse(positive, lesser, greater),
          small};
}

template <class T>
struct Before {
  hn::Vec<Tag<T>> mean, sum;
};

template <class T>
HWY_INLINE Before<T> before(const Wkv<T>& in, const Channels<T>& at, std::int64_t t) {
  if (t > 0) return {at.load(in.mean + (t - 1) * in.d), at.load(in.sum + (t - 1) * in.d)};
  const Tag<T> d;
  if (in.first_mean) return {at.load(in.first_mean), at.load(in.first_sum)};
  return {hn::Zero(d), hn::Set(d, -std::numeric_limits<T>::infinity())};
}

template <class T>
void forward(const Wkv<T>& in) {
  const Tag<T> d;
  for (std::int64_t c = 0; c < in.d; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    const Channels<T> at(c, in.d);
    const auto w = at.load(in.w), u = at.load(in.u);
    Before<T> m = before(in, at, 0);
    for (std::int64_t t = 0; t < in.steps; ++t) {
      const auto k = at.load(in.k + t * in.d), v = at.load(in.v + t * in.d);
      const auto off = hn::Sub(v, m.mean), faded = hn::Sub(m.sum, w);
      const auto present = shares<T>(hn::Sub(hn::Add(u, k), m.sum));
      at.store(hn::MulAdd(present.of, off, m.mean), in.y + t * in.d);
      const auto written = shares<T>(hn::Sub(k, faded));
      m.mean = hn::MulAdd(written.of, off, m.mean);
      m.sum = hn::Add(hn::Max(faded, k), log1p_of_share(d, written.small));
      at.store(m.mean, in.mean + t * in.d);
      at.store(m.sum, in.sum + t * in.d);
    }
  }
}

template <class T>
void backward(const Wkv<T>& in) {
  const Tag<T> d;
  for (std::int64_t c = 0; c < in.d; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    const Channels<T> at(c, in.d);
    const auto w = at.load(in.w), u = at.load(in.u);
    auto d_mean = at.load(in.d_mean), d_sum = at.load(in.d_sum);
    auto d_w = hn::Zero(d), d_u = hn::Zero(d);
    for (std::int64_t t = in.steps - 1; t >= 0; --t) {
      const Before<T> m = before(in, at, t);
      const auto k = at.load(in.k + t * in.d), v = at.load(in.v + t * in.d),
                 d_y = at.load(in.d_y + t * in.d);
      const auto off = hn::Sub(v, m.mean);
      const auto present = shares<T>(hn::Sub(hn::Add(u, k), m.sum));
      const auto written = shares<T>(hn::Sub(k, hn::Sub(m.sum, w)));
      // Gradients of the arguments of both shares, and (`kept`) of L_{t-1} - w.
      const auto d_present = hn::Mul(hn::Mul(d_y, off), hn::Mul(present.of, present.rest));
      const auto d_written = hn::Mul(hn::Mul(d_mean, off), hn::Mul(written.of, written.rest));
      const auto kept = hn::Sub(hn::Mul(d_sum, written.rest), d_written);
      at.store(hn::Add(d_present, hn::MulAdd(d_sum, written.of, d_written)), in.d_k + t * in.d);
      at.store(hn::MulAdd(d_y, present.of, hn::Mul(d_mean, written.of)), in.d_v + t * in.d);
      d_u = hn::Add(d_u, d_present);
      d_w = hn::Sub(d_w, kept);
      d_sum = hn::Sub(kept, d_present);
      d_mean = hn::MulAdd(d_y, present.rest, hn::Mul(d_mean, written.rest));
    }
    at.store(d_w, in.d_w);
    at.store(d_u, in.d_u);
    at.store(d_mean, in.d_first_mean);
    at.store(d_sum, in.d_first_sum);
  }
}

template <class T>
WkvKernels<T> kernels_of() {
  return {forward<T>, backward<T>};
}
WkvKernels<float> float_kernels() { return kernels_of<float>(); }
WkvKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {
LCSM_CHOOSE_KERNELS(WkvKernels, wkv_kernels)
}  // namespace lcsm
#endif
