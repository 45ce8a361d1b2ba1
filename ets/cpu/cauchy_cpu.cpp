#include "ets/cpu/cauchy_cpu.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/cauchy_cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr std::int64_t kChunk = 256;  // nodes whose gradients stay in a small cache

V load(const double* from) { return hn::LoadU(Tag(), from); }
V set(double value) { return hn::Set(Tag(), value); }
double total(V sum) { return hn::GetLane(hn::SumOfLanes(Tag(), sum)); }

// Functions of the angles of a vector of nodes.
struct Angles {
  V sine2, cosine;        // 2 s, c
  V sine4, square, both;  // 4 s^2, c^2, 4 s c
};

// 1 / D of a pair.
struct Pair {
  V re, im;
};
HWY_INLINE Pair reciprocal(const Angles& a, double real, double square) {
  const V re = hn::Sub(hn::Mul(a.square, set(square)), a.sine4);
  const V im = hn::Mul(a.both, set(real));  // D = re - i im
  const V scale = hn::Div(set(1), hn::MulAdd(re, re, hn::Mul(im, im)));
  return {hn::Mul(re, scale), hn::Mul(im, scale)};
}

template <int kSums, class T>
class Channels {
 public:
  explicit Channels(const Cauchy<T>& c) : c_(c), nodes_(c.nodes()) {
    sine_.assign(static_cast<std::size_t>(nodes_ + kChunk),
                 1);  // no singularity after the last node
    cosine_.assign(sine_.size(), 0);
    for (std::int64_t k = 0; k < nodes_; ++k) {
      const double half = std::numbers::pi * static_cast<double>(k) / static_cast<double>(c.length);
      sine_[static_cast<std::size_t>(k)] = std::sin(half);
      cosine_[static_cast<std::size_t>(k)] = std::cos(half);
    }
  }

  void forward(std::int64_t channel) {
    for (std::int64_t k = 0; k < nodes_; k += lanes()) sum_pairs(channel, k);
  }

  void backward(std::int64_t channel) {
    for (std::int64_t m = 0; m < c_.M; ++m) {
      c_.d_real[channel * c_.M + m] = c_.d_square[channel * c_.M + m] = 0;
      for (int n = 0; n < kSums; ++n)
        c_.d_v_real[at(n, channel, m)] = c_.d_v_rate[at(n, channel, m)] = 0;
    }
    for (std::int64_t k = 0; k < nodes_; k += kChunk) {
      read_gradients(channel, k);
      for (std::int64_t m = 0; m < c_.M; ++m) add_gradients(channel, m, k);
    }
  }

 private:
  static std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(Tag())); }
  std::int64_t at(std::int64_t n, std::int64_t channel, std::int64_t m) const {
    return (n * c_.D + channel) * c_.M + m;
  }

  Angles angles(std::int64_t k) const {
    const V s = load(sine_.data() + k), c = load(cosine_.data() + k), two = hn::Add(s, s);
    return {two, c, hn::Mul(two, two), hn::Mul(c, c), hn::Mul(hn::Add(two, two), c)};
  }

  // Computes a vector of nodes: e^(i a / 2) times the sums over modes.
  void sum_pairs(std::int64_t channel, std::int64_t k) {
    const Angles a = angles(k);
    Pair sum[kSums];
    for (Pair& each : sum) each = {set(0), set(0)};
    for (std::int64_t m = 0; m < c_.M; ++m) {
      const Pair one = reciprocal(a, c_.real[channel * c_.M + m], c_.square[channel * c_.M + m]);
      const Pair s = {hn::Mul(a.sine2, one.re), hn::Mul(a.sine2, one.im)},
                 c = {hn::Mul(a.cosine, one.re), hn::Mul(a.cosine, one.im)};
      for (int n = 0; n < kSums; ++n) {
        const V v = set(c_.v_real[at(n, channel, m)]), rate = set(c_.v_rate[at(n, channel, m)]);
        sum[n].re = hn::NegMulAdd(rate, c.re, hn::NegMulAdd(v, s.im, sum[n].re));
        sum[n].im = hn::NegMulAdd(rate, c.im, hn::MulAdd(v, s.re, sum[n].im));
      }
    }
    const V s = hn::Mul(a.sine2, set(0.5));
    for (int n = 0; n < kSums; ++n) {
      double re[8], im[8];
      hn::StoreU(hn::NegMulAdd(s, sum[n].im, hn::Mul(a.cosine, sum[n].re)), Tag(), re);
      hn::StoreU(hn::MulAdd(s, sum[n].re, hn::Mul(a.cosine, sum[n].im)), Tag(), im);
      T* const to = c_.r + 2 * ((n * c_.D + channel) * nodes_ + k);
      for (std::int64_t i = 0; i < std::min(lanes(), nodes_ - k); ++i) {
        to[2 * i] = static_cast<T>(re[i]);
        to[2 * i + 1] = static_cast<T>(im[i]);
      }
    }
  }

  // h = conj(d_r) e^(i a / 2), times 2 s and times c.
  void read_gradients(std::int64_t channel, std::int64_t k) {
    for (int n = 0; n < kSums; ++n) {
      const T* const from = c_.d_r + 2 * ((n * c_.D + channel) * nodes_ + k);
      for (std::int64_t i = 0; i < kChunk; ++i) {
        const bool inside = k + i < nodes_;
        const double re = inside ? double{from[2 * i]} : 0,
                     im = inside ? -double{from[2 * i + 1]} : 0;
        const double s = sine_[static_cast<std::size_t>(k + i)],
                     c = cosine_[static_cast<std::size_t>(k + i)];
        const double h_re = re * c - im * s, h_im = re * s + im * c;
        h_[n][0][i] = 2 * s * h_re;
        h_[n][1][i] = 2 * s * h_im;
        h_[n][2][i] = c * h_re;
        h_[n][3][i] = c * h_im;
      }
    }
  }

  void add_gradients(std::int64_t channel, std::int64_t m, std::int64_t first) {
    V d_v[kSums], d_rate[kSums], d_real = set(0), d_square = set(0);
    for (int n = 0; n < kSums; ++n) d_v[n] = d_rate[n] = set(0);
    const std::int64_t mode = channel * c_.M + m;
    for (std::int64_t i = 0; i < std::min(kChunk, nodes_ - first); i += lanes()) {
      const Angles a = angles(first + i);
      const Pair one = reciprocal(a, c_.real[mode], c_.square[mode]);
      Pair z = {set(0), set(0)};  // the gradient of 1 / D
      for (int n = 0; n < kSums; ++n) {
        const V s_re = load(h_[n][0] + i), s_im = load(h_[n][1] + i), c_re = load(h_[n][2] + i),
                c_im = load(h_[n][3] + i);
        const V v = set(c_.v_real[at(n, channel, m)]), rate = set(c_.v_rate[at(n, channel, m)]);
        d_v[n] = hn::NegMulAdd(s_re, one.im, hn::NegMulAdd(s_im, one.re, d_v[n]));
        d_rate[n] = hn::NegMulAdd(c_re, one.re, hn::MulAdd(c_im, one.im, d_rate[n]));
        z.re = hn::NegMulAdd(v, s_im, hn::NegMulAdd(rate, c_re, z.re));
        z.im = hn::MulAdd(v, s_re, hn::NegMulAdd(rate, c_im, z.im));
      }
      const V re = hn::NegMulAdd(one.im, one.im, hn::Mul(one.re, one.re)),
              im = hn::Mul(hn::Add(one.re, one.re), one.im);
      d_square = hn::NegMulAdd(a.square, hn::NegMulAdd(z.im, im, hn::Mul(z.re, re)), d_square);
      d_real = hn::NegMulAdd(a.both, hn::MulAdd(z.re, im, hn::Mul(z.im, re)), d_real);
    }
    c_.d_real[mode] += total(d_real);
    c_.d_square[mode] += total(d_square);
    for (int n = 0; n < kSums; ++n) {
      c_.d_v_real[at(n, channel, m)] += total(d_v[n]);
      c_.d_v_rate[at(n, channel, m)] += total(d_rate[n]);
    }
  }

  const Cauchy<T>& c_;
  const std::int64_t nodes_;
  std::vector<double> sine_, cosine_;
  double h_[kSums][4][kChunk];
};

template <class T, class Work>
void each_channel(const Cauchy<T>& c, std::int64_t first, std::int64_t last, const Work& work) {
  const auto all = [&](auto channels) {
    for (std::int64_t n = first; n < last; ++n) work(channels, n);
  };
  return c.sums == 4 ? all(Channels<4, T>(c)) : all(Channels<6, T>(c));
}

template <class T>
void forward(const Cauchy<T>& c, std::int64_t first, std::int64_t last) {
  each_channel(c, first, last, [](auto& all, std::int64_t n) { all.forward(n); });
}
template <class T>
void backward(const Cauchy<T>& c, std::int64_t first, std::int64_t last) {
  each_channel(c, first, last, [](auto& all, std::int64_t n) { all.backward(n); });
}

CauchyKernels<float> float_kernels() { return {forward<float>, backward<float>}; }
CauchyKernels<double> double_kernels() { return {forward<double>, backward<double>}; }

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ets {
LCSM_CHOOSE_KERNELS(CauchyKernels, cauchy_kernels)
}  // namespace ets
#endif
