#include "ets/cpu/shared_scan_cpu.h"

#include <type_traits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/shared_scan_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Whole = hn::CappedTag<double, 8>;
using One = hn::CappedTag<double, 1>;

template <class D>
hn::Vec<D> read(D d, const double* from) {
  return hn::LoadU(d, from);
}
template <class D>
hn::Vec<D> read(D d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}
template <class D>
void write(D d, hn::Vec<D> value, double* to) {
  hn::StoreU(value, d, to);
}
template <class D>
void write(D, hn::Vec<D> value, float* to) {
  const hn::Rebind<float, D> narrow;
  hn::StoreU(hn::DemoteTo(narrow, value), narrow, to);
}

template <class D>
struct Complex {
  hn::Vec<D> re, im;
};
template <class D, class T>
Complex<D> read_pair(D d, const T* from, std::int64_t M) {
  return {read(d, from), read(d, from + M)};
}
template <class D, class T>
void write_pair(D d, const Complex<D>& z, T* to, std::int64_t M) {
  write(d, z.re, to);
  write(d, z.im, to + M);
}
// a b + c, and conj(a) b + c.
template <class D>
Complex<D> times_plus(const Complex<D>& a, const Complex<D>& b, const Complex<D>& c) {
  return {hn::NegMulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, c.re)),
          hn::MulAdd(a.im, b.re, hn::MulAdd(a.re, b.im, c.im))};
}
template <class D>
Complex<D> conj_times_plus(const Complex<D>& a, const Complex<D>& b, const Complex<D>& c) {
  return {hn::MulAdd(a.im, b.im, hn::MulAdd(a.re, b.re, c.re)),
          hn::NegMulAdd(a.im, b.re, hn::MulAdd(a.re, b.im, c.im))};
}

// kCount vectors of modes from `m` on, interleaved so that one computes while another waits.
template <int kCount, class D, class T>
void forward(D d, const SharedScan<T>& s, std::int64_t m) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  Complex<D> q[kCount], h[kCount];
  for (int n = 0; n < kCount; ++n) {
    q[n] = read_pair(d, s.q + m + n * lanes, s.M);
    h[n] =
        s.first ? read_pair(d, s.first + m + n * lanes, s.M) : Complex<D>{hn::Zero(d), hn::Zero(d)};
  }
  for (std::int64_t step = 0; step < s.length; ++step) {
    const std::int64_t row = (s.back ? s.length - 1 - step : step) * 2 * s.M + m;
    for (int n = 0; n < kCount; ++n) {
      h[n] = times_plus(q[n], h[n], read_pair(d, s.u + row + n * lanes, s.M));
      write_pair(d, h[n], s.h + row + n * lanes, s.M);
    }
  }
}

// Runs against the direction of h: g_t = d_h_t + conj(q) g_(t+1) is the gradient of u_t.
template <int kCount, class D, class T>
void backward(D d, const SharedScan<T>& s, std::int64_t m) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Complex<D> zero{hn::Zero(d), hn::Zero(d)};
  const std::int64_t before = s.back ? 2 * s.M : -2 * s.M;
  Complex<D> q[kCount], g[kCount], sum[kCount];
  for (int n = 0; n < kCount; ++n) {
    q[n] = read_pair(d, s.q + m + n * lanes, s.M);
    g[n] = sum[n] = zero;
  }
  for (std::int64_t step = s.length - 1; step >= 0; --step) {
    const std::int64_t row = (s.back ? s.length - 1 - step : step) * 2 * s.M + m;
    for (int n = 0; n < kCount; ++n) {
      const std::int64_t at = row + n * lanes;
      g[n] = conj_times_plus(q[n], g[n], read_pair(d, s.d_h + at, s.M));
      write_pair(d, g[n], s.d_u + at, s.M);
      const Complex<D> h = step > 0  ? read_pair(d, s.h + at + before, s.M)
                           : s.first ? read_pair(d, s.first + m + n * lanes, s.M)
                                     : zero;
      sum[n] = conj_times_plus(h, g[n], sum[n]);
    }
  }
  for (int n = 0; n < kCount; ++n) {
    write_pair(d, sum[n], s.d_q + m + n * lanes, s.M);
    if (s.d_first) write_pair(d, conj_times_plus(q[n], g[n], zero), s.d_first + m + n * lanes, s.M);
  }
}

template <class Work>
void each_group(std::int64_t first, std::int64_t last, const Work& work) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Whole()));
  std::int64_t m = first;
  for (; m + 4 * lanes <= last; m += 4 * lanes) work(std::integral_constant<int, 4>(), Whole(), m);
  for (; m + lanes <= last; m += lanes) work(std::integral_constant<int, 1>(), Whole(), m);
  for (; m < last; ++m) work(std::integral_constant<int, 1>(), One(), m);
}

template <class T>
void forward_all(const SharedScan<T>& s, std::int64_t first, std::int64_t last) {
  each_group(first, last, [&](auto count, auto d, std::int64_t m) { forward<count>(d, s, m); });
}
template <class T>
void backward_all(const SharedScan<T>& s, std::int64_t first, std::int64_t last) {
  each_group(first, last, [&](auto count, auto d, std::int64_t m) { backward<count>(d, s, m); });
}

SharedScanKernels<float> float_kernels() { return {forward_all<float>, backward_all<float>}; }
SharedScanKernels<double> double_kernels() { return {forward_all<double>, backward_all<double>}; }

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ets {
LCSM_CHOOSE_KERNELS(SharedScanKernels, shared_scan_kernels)
}  // namespace ets
#endif
