#include "ets/cpu/fft_conv_cpu.h"

#include <algorithm>
#include <array>
#include <span>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/fft_conv_cpu.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "ets/cpu/fft_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

constexpr int kSides = 2;            // vectors of a cache line
constexpr std::int64_t kAhead = 16;  // rows fetched before they are read

template <class T>
using Buffer = hwy::AlignedFreeUniquePtr<T[]>;

// One group of channels: the vectors of a cache line, whose transforms are apart.
template <int leaf, class T>
class Group {
 public:
  Group(const FftConv<T>& conv, std::int64_t channel)
      : c_(conv),
        n_(conv.plan->n),
        channel_(channel),
        width_(std::min(kSides * lanes<T>(), conv.D - channel)),
        sides_(static_cast<int>((width_ + lanes<T>() - 1) / lanes<T>())) {
    for (Side& side : sides()) {
      side.kernel = buffer(n_);
      side.a = buffer(n_);
    }
    read_kernel();
  }

  void forward(std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; b += 2) {
      take(c_.x, b, last, &Side::a);
      for (Side& side : sides())
        for (std::int64_t s = 0; s < n_; s += n_ / 4)
          convolve(side.a.get() + s * step(), side.kernel.get() + s * step(), n_ / 4, 1);
      give(&Side::a, c_.y, b, last);
    }
  }

  void backward(std::int64_t first, std::int64_t last) {
    for (Side& side : sides()) {
      side.d = buffer(n_);
      side.sum = buffer(n_);
      std::fill_n(side.sum.get(), n_ * step(), T(0));
    }
    for (std::int64_t b = first; b < last; b += 2) {
      take(c_.x, b, last, &Side::a);
      take(c_.d_y, b, last, &Side::d);
      for (Side& side : sides())
        for (std::int64_t s = 0; s < n_; s += n_ / 4) correlate(&side, s, n_ / 4, 1);
      give(&Side::d, c_.d_x, b, last);
    }
    write_kernel();
  }

 private:
  // Points of a vector of channels: the kernel's spectrum, sequences, its gradient.
  struct Side {
    Buffer<T> kernel, a, d, sum;
  };
  std::span<Side> sides() { return {all_sides_.data(), static_cast<std::size_t>(sides_)}; }

  std::int64_t step() const { return 2 * lanes<T>(); }
  Buffer<T> buffer(std::int64_t points) const {
    return hwy::AllocateAligned<T>(static_cast<std::size_t>(points * step()));
  }
  const T* factors(std::size_t level) const { return c_.plan->factors[level].data(); }
  bool is_whole() const { return width_ == kSides * lanes<T>(); }

  // Rows of two sequences as the real and imaginary parts; beyond them zero.
  void take(const T* all, std::int64_t b, std::int64_t last, Buffer<T> Side::*to) {
    const T* one = rows(all, b, &one_);
    const T* two = b + 1 < last ? rows(all, b + 1, &two_) : nullptr;
    const std::int64_t stride = is_whole() ? c_.D : kSides * lanes<T>();
    const auto zero = hn::Zero(Tag<T>());
    const T* factor = factors(0);
    for (std::int64_t j = 0; j < n_ / 4; ++j, factor += 6)
      for (int side = 0; side < sides_; ++side) {
        const std::int64_t at = side * lanes<T>();
        const auto read = [&](std::int64_t p) HWY_ATTR {
          if (p >= c_.length) return Point<T>{zero, zero};
          if (side == 0) {
            hwy::Prefetch(one + (p + kAhead) * stride);
            if (two) hwy::Prefetch(two + (p + kAhead) * stride);
          }
          return Point<T>{hn::LoadU(Tag<T>(), one + p * stride + at),
                          two ? hn::LoadU(Tag<T>(), two + p * stride + at) : zero};
        };
        turn_forward(n_, j, factor, read, (all_sides_[static_cast<std::size_t>(side)].*to).get());
      }
  }

  void give(Buffer<T> Side::*from, T* all, std::int64_t b, std::int64_t last) {
    const bool two = b + 1 < last;
    T* const y = all + b * c_.length * c_.D + channel_;
    // Whole lines go past the caches.
    const std::uintptr_t line = sizeof(T) * static_cast<std::size_t>(kSides * lanes<T>());
    const bool streams = is_whole() && (reinterpret_cast<std::uintptr_t>(all) |
                                        sizeof(T) * static_cast<std::size_t>(c_.D)) %
                                               line ==
                                           0;
    const T* factor = factors(0);
    for (std::int64_t j = 0; j < n_ / 4; ++j, factor += 6)
      for (int side = 0; side < sides_; ++side) {
        const auto write = [&](std::int64_t p, const Point<T>& point) HWY_ATTR {
          if (p >= c_.length) return;
          put(point.re, y + p * c_.D, side, streams);
          if (two) put(point.im, y + (c_.length + p) * c_.D, side, streams);
        };
        turn_inverse<T>(n_, j, factor, (all_sides_[static_cast<std::size_t>(side)].*from).get(),
                        write);
      }
    hwy::FlushStream();
  }

  void put(V<T> value, T* row, int side, bool streams) const {
    T* const to = row + side * lanes<T>();
    if (streams) return hn::Stream(value, Tag<T>(), to);
    if (is_whole()) return hn::StoreU(value, Tag<T>(), to);
    HWY_ALIGN T part[32 / sizeof(T)];
    hn::Store(value, Tag<T>(), part);
    std::copy_n(part, std::min(lanes<T>(), width_ - side * lanes<T>()), to);
  }

  // Channels of a group that is not full are copied, so that vectors can be read.
  const T* rows(const T* all, std::int64_t b, Buffer<T>* copy) {
    const T* from = all + b * c_.length * c_.D + channel_;
    if (is_whole()) return from;
    const std::int64_t stride = kSides * lanes<T>();
    if (!*copy) *copy = hwy::AllocateAligned<T>(static_cast<std::size_t>(c_.length * stride));
    std::fill_n(copy->get(), c_.length * stride, T(0));
    for (std::int64_t t = 0; t < c_.length; ++t)
      std::copy_n(from + t * c_.D, width_, copy->get() + t * stride);
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
    forward_in_place(a, N, factors(level));
    for (std::int64_t s = 0; s < 4; ++s)
      convolve(a + s * N / 4 * step(), k + s * N / 4 * step(), N / 4, level + 1);
    inverse_in_place(a, N, factors(level));
  }

  // The same for the gradients: sum += conj(x) d, d = d conj(kernel).
  void correlate(Side* side, std::int64_t at, std::int64_t N, std::size_t level) {
    T *const a = side->a.get() + at * step(), *const d = side->d.get() + at * step();
    if (N == leaf)
      return correlate_leaf(a, d, side->kernel.get() + at * step(), side->sum.get() + at * step());
    forward_in_place(a, N, factors(level));
    forward_in_place(d, N, factors(level));
    for (std::int64_t s = 0; s < 4; ++s) correlate(side, at + s * N / 4, N / 4, level + 1);
    inverse_in_place(d, N, factors(level));
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

  // visit(tap of [directions, D, K], real part of its point) for all that reach an output.
  template <class Visit>
  void each_tap(Buffer<T> Side::*points, const Visit& visit) {
    for (std::int64_t g = 0; g < c_.directions; ++g)
      for (std::int64_t w = 0; w < width_; ++w) {
        T* const at = (all_sides_[static_cast<std::size_t>(w / lanes<T>())].*points).get();
        for (std::int64_t j = 0; j + (g == 0 ? 0 : c_.lag) < c_.length && j < c_.K; ++j) {
          const std::int64_t p = g == 0 ? j : (n_ - c_.lag - j) % n_;
          visit(((g * c_.D) + channel_ + w) * c_.K + j, at[p * step() + w % lanes<T>()]);
        }
      }
  }

  // Divided by n, as the inverse must be.
  void read_kernel() {
    for (Side& side : sides()) std::fill_n(side.kernel.get(), n_ * step(), T(0));
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(&Side::kernel, [&](std::int64_t tap, T& value) { value += scale * c_.kernel[tap]; });
    for (Side& side : sides()) spectrum<leaf, T>(side.kernel.get(), n_, c_.plan->factors);
  }

  void write_kernel() {
    for (Side& side : sides()) inverse<leaf, T>(side.sum.get(), n_, c_.plan->factors);
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(&Side::sum, [&](std::int64_t tap, T& value) { c_.d_kernel[tap] = scale * value; });
  }

  const FftConv<T>& c_;
  const std::int64_t n_, channel_, width_;
  const int sides_;
  std::array<Side, kSides> all_sides_;
  Buffer<T> one_, two_;
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
  return {kSides * lanes<T>(), forward<T>, backward<T>};
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
