#include "ets/cpu/vandermonde_cpu.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/vandermonde_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes: two vectors divide a block.
using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr std::int64_t kSteps = kVandermondeSteps, kExact = 16, kRows = 4;

double total(V sum) { return hn::GetLane(hn::SumOfLanes(Tag(), sum)); }

// Scratch of a row, and its loops. Arrays by mode: real parts, then imaginary ones.
template <class T, bool turns>
class Row {
 public:
  explicit Row(const Vandermonde<T>& v)
      : v_(v),
        blocks_((v.length + kSteps - 1) / kSteps),
        padded_((blocks_ + kRows - 1) / kRows * kRows),
        inside_(size(v.M * 2 * kSteps)),
        starts_(size(v.M * 4 * padded_)),
        values_(size(padded_ * kSteps)) {}

  void forward(std::int64_t row) {
    for (std::int64_t m = 0; m < v_.M; ++m) {
      fill(row, m);
      weigh(row, m);
    }
    for (std::int64_t b = 0; b < padded_; b += kRows)
      for (std::int64_t a = 0; a < kSteps; a += 2 * lanes()) sum_modes(b, a);
    std::copy_n(values_.begin(), v_.length, v_.kernel + row * v_.length);
  }

  void backward(std::int64_t row) {
    std::fill(values_.begin(), values_.end(), 0.0);
    std::copy_n(v_.d_kernel + row * v_.length, v_.length, values_.begin());
    for (std::int64_t m = 0; m < v_.M; ++m) {
      fill(row, m);
      count(row, m);
      gradients(row, m);
    }
  }

 private:
  using Number = std::complex<double>;

  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }
  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(Tag())); }
  // Part 0 is real, part 1 imaginary; parts 2 and 3 of the starts are parts 0 and 1 times t - o.
  double* inside(std::int64_t m, std::int64_t part) {
    return inside_.data() + (2 * m + part) * kSteps;
  }
  double* starts(std::int64_t m, std::int64_t part) {
    return starts_.data() + (4 * m + part) * padded_;
  }
  double origin(std::int64_t n) const { return v_.origin ? v_.origin[n] : 0; }
  Number weight(std::int64_t n) const {
    return {v_.weight[n], turns && v_.weight_imag ? v_.weight_imag[n] : 0};
  }
  Number power(std::int64_t n, double t) const {
    const double size = std::exp(t * v_.log_decay[n]);
    if (!turns) return size;
    const double angle = t * v_.angle[n];
    return {size * std::cos(angle), size * std::sin(angle)};
  }

  // to[i] = from[i] times z, plain loops over parts.
  static void scale(std::int64_t count, Number z, const double* re, const double* im, double* to_re,
                    double* to_im) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double x = re[i], y = im[i];
      to_re[i] = x * z.real() - y * z.imag();
      to_im[i] = x * z.imag() + y * z.real();
    }
  }

  // exp(a z), as products of the exact exp(z), exp(2 z), exp(4 z) ..., and the starts of the
  // blocks.
  void fill(std::int64_t row, std::int64_t m) {
    const std::int64_t n = row * v_.M + m;
    double *re = inside(m, 0), *im = inside(m, 1);
    re[0] = 1, im[0] = 0;
    for (std::int64_t a = 1; a < kSteps; a *= 2)
      scale(a, power(n, static_cast<double>(a)), re, im, re + a, im + a);
    re = starts(m, 0), im = starts(m, 1);
    const Number block = power(n, static_cast<double>(kSteps));
    // A growing mode may underflow at its start, and products of 0 stay 0.
    const std::int64_t exact = v_.log_decay[n] > 0 ? 1 : kExact;
    for (std::int64_t b = 0; b < blocks_; ++b) {
      const Number start = b % exact == 0 ? power(n, static_cast<double>(b * kSteps) - origin(n))
                                          : Number(re[b - 1], im[b - 1]) * block;
      re[b] = start.real(), im[b] = start.imag();
    }
    std::fill(re + blocks_, re + padded_, 0.0);
    std::fill(im + blocks_, im + padded_, 0.0);
  }

  void weigh(std::int64_t row, std::int64_t m) {
    double *re = starts(m, 0), *im = starts(m, 1);
    scale(blocks_, weight(row * v_.M + m), re, im, re, im);
  }

  void count(std::int64_t row, std::int64_t m) {
    for (std::int64_t part = 0; part < 2; ++part)
      for (std::int64_t b = 0; b < padded_; ++b)
        starts(m, part + 2)[b] =
            (static_cast<double>(b * kSteps) - origin(row * v_.M + m)) * starts(m, part)[b];
  }

  // Sums the modes at two vectors of steps of kRows blocks.
  void sum_modes(std::int64_t b, std::int64_t a) {
    const Tag d;
    V sum[kRows][2];
    for (auto& each : sum) each[0] = each[1] = hn::Zero(d);
    for (std::int64_t m = 0; m < v_.M; ++m) {
      const double *re = inside(m, 0) + a, *w = starts(m, 0) + b;
      const V r0 = hn::LoadU(d, re), r1 = hn::LoadU(d, re + lanes());
      for (std::int64_t n = 0; n < kRows; ++n) {
        const V one = hn::Set(d, w[n]);
        sum[n][0] = hn::MulAdd(one, r0, sum[n][0]);
        sum[n][1] = hn::MulAdd(one, r1, sum[n][1]);
      }
      if constexpr (turns) {
        const double *im = inside(m, 1) + a, *w_im = starts(m, 1) + b;
        const V i0 = hn::LoadU(d, im), i1 = hn::LoadU(d, im + lanes());
        for (std::int64_t n = 0; n < kRows; ++n) {
          const V one = hn::Set(d, w_im[n]);
          sum[n][0] = hn::NegMulAdd(one, i0, sum[n][0]);
          sum[n][1] = hn::NegMulAdd(one, i1, sum[n][1]);
        }
      }
    }
    for (std::int64_t n = 0; n < kRows; ++n) {
      double* const to = values_.data() + (b + n) * kSteps + a;
      hn::StoreU(sum[n][0], d, to);
      hn::StoreU(sum[n][1], d, to + lanes());
    }
  }

  // With E_t = exp((t - o) z): zeroth = sum of d_k E, first = sum of d_k (t - o) E.
  void gradients(std::int64_t row, std::int64_t m) {
    Number zeroth = 0, first = 0;
    for (std::int64_t a = 0; a < kSteps; a += lanes()) sum_steps(m, a, &zeroth, &first);
    const std::int64_t n = row * v_.M + m;
    const Number d_z = weight(n) * first;
    v_.d_log_decay[n] = d_z.real();
    v_.d_weight[n] = zeroth.real();
    if (v_.d_angle) v_.d_angle[n] = -d_z.imag();
    if (v_.d_weight_imag) v_.d_weight_imag[n] = -zeroth.imag();
  }

  // Sums a vector of steps of all blocks: first over the blocks, then times exp(a z).
  void sum_steps(std::int64_t m, std::int64_t a, Number* zeroth, Number* first) {
    const Tag d;
    V sum[4];
    for (V& each : sum) each = hn::Zero(d);
    const double* const at = starts(m, 0);
    for (std::int64_t b = 0; b < blocks_; ++b) {
      const V in = hn::LoadU(d, values_.data() + b * kSteps + a);
      for (int part = 0; part < 4; part += turns ? 1 : 2)
        sum[part] = hn::MulAdd(in, hn::Set(d, at[part * padded_ + b]), sum[part]);
    }
    const V step = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<double>(a)));
    const V later_re = hn::MulAdd(step, sum[0], sum[2]),
            later_im = hn::MulAdd(step, sum[1], sum[3]);
    const V re = hn::LoadU(d, inside(m, 0) + a), im = hn::LoadU(d, inside(m, 1) + a);
    *zeroth += product(sum[0], sum[1], re, im);
    *first += product(later_re, later_im, re, im);
  }
  static Number product(V a_re, V a_im, V b_re, V b_im) {
    return {total(hn::NegMulAdd(a_im, b_im, hn::Mul(a_re, b_re))),
            total(hn::MulAdd(a_im, b_re, hn::Mul(a_re, b_im)))};
  }

  const Vandermonde<T>& v_;
  const std::int64_t blocks_, padded_;
  std::vector<double> inside_, starts_, values_;
};

template <class T, class Work>
void each_row(const Vandermonde<T>& v, std::int64_t first, std::int64_t last, const Work& work) {
  const auto all = [&](auto row) {
    for (std::int64_t n = first; n < last; ++n) work(row, n);
  };
  return v.angle ? all(Row<T, true>(v)) : all(Row<T, false>(v));
}

template <class T>
void forward(const Vandermonde<T>& v, std::int64_t first, std::int64_t last) {
  each_row(v, first, last, [](auto& row, std::int64_t n) { row.forward(n); });
}
template <class T>
void backward(const Vandermonde<T>& v, std::int64_t first, std::int64_t last) {
  each_row(v, first, last, [](auto& row, std::int64_t n) { row.backward(n); });
}

VandermondeKernels<float> float_kernels() { return {forward<float>, backward<float>}; }
VandermondeKernels<double> double_kernels() { return {forward<double>, backward<double>}; }

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ets {
LCSM_CHOOSE_KERNELS(VandermondeKernels, vandermonde_kernels)
}  // namespace ets
#endif
