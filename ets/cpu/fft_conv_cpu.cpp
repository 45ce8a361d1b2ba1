#include "ets/cpu/fft_conv_cpu.h"

#include <algorithm>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/fft_conv_cpu.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>

#include "ets/cpu/fft_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

template <class T>
using Buffer = hwy::AlignedFreeUniquePtr<T[]>;

// One group of channels.
template <int leaf, class T>
class Group {
 public:
  Group(const FftConv<T>& conv, std::int64_t channel)
      : c_(conv),
        n_(conv.plan->n),
        channel_(channel),
        width_(std::min(lanes<T>(), conv.D - channel)),
        kernel_(buffer(n_)),
        a_(buffer(n_)) {
    read_kernel();
  }

  void forward(std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; b += 2) {
      take(c_.x, b, last, a_.get());
      for (std::int64_t s = 0; s < 4; ++s)
        convolve(a_.get() + s * n_ / 4 * step(), kernel_.get() + s * n_ / 4 * step(), n_ / 4, 1);
      give(a_.get(), c_.y, b, last);
    }
  }

  void backward(std::int64_t first, std::int64_t last) {
    d_ = buffer(n_);
    sum_ = buffer(n_);
    std::fill_n(sum_.get(), n_ * step(), T(0));
    for (std::int64_t b = first; b < last; b += 2) {
      take(c_.x, b, last, a_.get());
      take(c_.d_y, b, last, d_.get());
      for (std::int64_t s = 0; s < 4; ++s) correlate(s * n_ / 4, n_ / 4, 1);
      give(d_.get(), c_.d_x, b, last);
    }
    write_kernel();
  }

 private:
  std::int64_t step() const { return 2 * lanes<T>(); }
  Buffer<T> buffer(std::int64_t points) const {
    return hwy::AllocateAligned<T>(static_cast<std::size_t>(points * step()));
  }
  const T* factors(std::size_t level) const { return c_.plan->factors[level].data(); }

  // Rows of two sequences as the real and imaginary parts; beyond them zero.
  void take(const T* all, std::int64_t b, std::int64_t last, T* points) {
    const T* one = rows(all, b, &one_);
    const T* two = b + 1 < last ? rows(all, b + 1, &two_) : nullptr;
    const std::int64_t stride = row_stride();
    const auto zero = hn::Zero(Tag<T>());
    pass_forward(
        n_, factors(0),
        [&](std::int64_t p) HWY_ATTR {
          if (p >= c_.length) return Point<T>{zero, zero};
          return Point<T>{hn::LoadU(Tag<T>(), one + p * stride),
                          two ? hn::LoadU(Tag<T>(), two + p * stride) : zero};
        },
        points);
  }

  void give(const T* points, T* all, std::int64_t b, std::int64_t last) {
    const bool whole = width_ == lanes<T>(), two = b + 1 < last;
    T* const y = all + b * c_.length * c_.D + channel_;
    pass_inverse(n_, factors(0), points, [&](std::int64_t p, const Point<T>& point) HWY_ATTR {
      if (p >= c_.length) return;
      put(point.re, y + p * c_.D, whole);
      if (two) put(point.im, y + (c_.length + p) * c_.D, whole);
    });
  }

  void put(V<T> value, T* to, bool whole) const {
    if (whole) return hn::StoreU(value, Tag<T>(), to);
    HWY_ALIGN T part[32 / sizeof(T)];
    hn::Store(value, Tag<T>(), part);
    std::copy_n(part, width_, to);
  }

  // Channels of a group that is not full are copied, so that vectors can be read.
  std::int64_t row_stride() const { return width_ == lanes<T>() ? c_.D : lanes<T>(); }
  const T* rows(const T* all, std::int64_t b, Buffer<T>* copy) {
    const T* from = all + b * c_.length * c_.D + channel_;
    if (width_ == lanes<T>()) return from;
    if (!*copy) *copy = hwy::AllocateAligned<T>(static_cast<std::size_t>(c_.length * lanes<T>()));
    std::fill_n(copy->get(), c_.length * lanes<T>(), T(0));
    for (std::int64_t t = 0; t < c_.length; ++t)
      std::copy_n(from + t * c_.D, width_, copy->get() + t * lanes<T>());
    return copy->get();
  }

  // From the first pass on, depth first, so that what is in a cache is used up: forward, times the
  // kernel's spectrum, back.
  void convolve(T* a, const T* k, std::int64_t N, std::size_t level) {
    if (N == leaf) {
      Point<T> x[leaf];
      for (int p = 0; p < leaf; ++p) x[p] = load(a, p);
      leaf_forward<leaf>(x);
      for (int p = 0; p < leaf; ++p) x[p] = x[p] * load(k, p);
      leaf_inverse<leaf>(x);
      for (int p = 0; p < leaf; ++p) store(x[p], a, p);
      return;
    }
    forward_in_place(a, N, level);
    for (std::int64_t s = 0; s < 4; ++s)
      convolve(a + s * N / 4 * step(), k + s * N / 4 * step(), N / 4, level + 1);
    inverse_in_place(a, N, level);
  }

  // The same for the gradients: sum += conj(x) d, d = d conj(kernel).
  void correlate(std::int64_t at, std::int64_t N, std::size_t level) {
    T *const a = a_.get() + at * step(), *const d = d_.get() + at * step();
    if (N == leaf)
      return correlate_leaf(a, d, kernel_.get() + at * step(), sum_.get() + at * step());
    forward_in_place(a, N, level);
    forward_in_place(d, N, level);
    for (std::int64_t s = 0; s < 4; ++s) correlate(at + s * N / 4, N / 4, level + 1);
    inverse_in_place(d, N, level);
  }

  static void correlate_leaf(const T* a, T* d, const T* k, T* sum) {
    Point<T> x[leaf], y[leaf];
    for (int p = 0; p < leaf; ++p) x[p] = load(a, p);
    for (int p = 0; p < leaf; ++p) y[p] = load(static_cast<const T*>(d), p);
    leaf_forward<leaf>(x);
    leaf_forward<leaf>(y);
    for (int p = 0; p < leaf; ++p) {
      store(load(static_cast<const T*>(sum), p) + times_conjugate(y[p], x[p]), sum, p);
      y[p] = times_conjugate(y[p], load(k, p));
    }
    leaf_inverse<leaf>(y);
    for (int p = 0; p < leaf; ++p) store(y[p], d, p);
  }

  void forward_in_place(T* a, std::int64_t N, std::size_t level) const {
    pass_forward(
        N, factors(level), [a](std::int64_t p) HWY_ATTR { return load<T>(a, p); }, a);
  }
  void inverse_in_place(T* a, std::int64_t N, std::size_t level) const {
    pass_inverse(N, factors(level), static_cast<const T*>(a),
                 [a](std::int64_t p, const Point<T>& point) HWY_ATTR { store(point, a, p); });
  }

  // Only one way: the kernel's spectrum, and its gradient's inverse.
  void spectrum(T* a, std::int64_t N, std::size_t level) const {
    if (N == leaf) {
      Point<T> x[leaf];
      for (int p = 0; p < leaf; ++p) x[p] = load(static_cast<const T*>(a), p);
      leaf_forward<leaf>(x);
      for (int p = 0; p < leaf; ++p) store(x[p], a, p);
      return;
    }
    forward_in_place(a, N, level);
    for (std::int64_t s = 0; s < 4; ++s) spectrum(a + s * N / 4 * step(), N / 4, level + 1);
  }
  void inverse(T* a, std::int64_t N, std::size_t level) const {
    if (N == leaf) {
      Point<T> x[leaf];
      for (int p = 0; p < leaf; ++p) x[p] = load(static_cast<const T*>(a), p);
      leaf_inverse<leaf>(x);
      for (int p = 0; p < leaf; ++p) store(x[p], a, p);
      return;
    }
    for (std::int64_t s = 0; s < 4; ++s) inverse(a + s * N / 4 * step(), N / 4, level + 1);
    inverse_in_place(a, N, level);
  }

  // visit(tap of [directions, D, K], real part of its point) for all that reach an output.
  template <class Visit>
  void each_tap(T* points, const Visit& visit) const {
    for (std::int64_t g = 0; g < c_.directions; ++g)
      for (std::int64_t w = 0; w < width_; ++w)
        for (std::int64_t j = 0; j + (g == 0 ? 0 : c_.lag) < c_.length && j < c_.K; ++j) {
          const std::int64_t p = g == 0 ? j : (n_ - c_.lag - j) % n_;
          visit(((g * c_.D) + channel_ + w) * c_.K + j, points[p * step() + w]);
        }
  }

  // Divided by n, as the inverse must be.
  void read_kernel() {
    std::fill_n(kernel_.get(), n_ * step(), T(0));
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(kernel_.get(), [&](std::int64_t tap, T& value) { value += scale * c_.kernel[tap]; });
    spectrum(kernel_.get(), n_, 0);
  }

  void write_kernel() {
    inverse(sum_.get(), n_, 0);
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(sum_.get(), [&](std::int64_t tap, T& value) { c_.d_kernel[tap] = scale * value; });
  }

  const FftConv<T>& c_;
  const std::int64_t n_, channel_, width_;
  Buffer<T> kernel_, a_, d_, sum_, one_, two_;
};

template <class T, class Work>
void with_group(const FftConv<T>& conv, std::int64_t channel, const Work& work) {
  switch (conv.plan->leaf) {
    case 3:
      return work(Group<3, T>(conv, channel));
    case 4:
      return work(Group<4, T>(conv, channel));
    case 6:
      return work(Group<6, T>(conv, channel));
    default:
      return work(Group<8, T>(conv, channel));
  }
}

template <class T>
void forward(const FftConv<T>& conv, std::int64_t channel, std::int64_t first, std::int64_t last) {
  with_group(conv, channel, [&](auto&& group) { group.forward(first, last); });
}
template <class T>
void backward(const FftConv<T>& conv, std::int64_t channel, std::int64_t first, std::int64_t last) {
  with_group(conv, channel, [&](auto&& group) { group.backward(first, last); });
}

template <class T>
FftConvKernels<T> kernels() {
  return {lanes<T>(), forward<T>, backward<T>};
}
FftConvKernels<float> float_kernels() { return kernels<float>(); }
FftConvKernels<double> double_kernels() { return kernels<double>(); }

}  // namespace
}  // namespace ets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ets {
LCSM_CHOOSE_KERNELS(FftConvKernels, fft_conv_kernels)
}  // namespace ets
#endif
