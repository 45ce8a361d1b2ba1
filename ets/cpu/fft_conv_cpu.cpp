#include "ets/cpu/fft_conv_cpu.h"

#include <algorithm>
#include <utility>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ets/cpu/fft_conv_cpu.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "ets/cpu/fft_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ets::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kAhead = 8;  // rows fetched before they are read
constexpr std::int64_t kTaps = 64;  // taps read of a channel before the next channel's

// A group of channels whose rows are read and written together. Each vector of channels is a side,
// which is transformed on its own.
template <int kFirst, class T>
class Group {
 public:
  Group(const FftConv<T>& conv, std::int64_t channel, FftSpace<T>* space)
      : c_(conv),
        n_(conv.plan->n),
        q_(n_ / kFirst),
        channel_(channel),
        width_(std::min(conv.group, conv.D - channel)),
        sides_((width_ + lanes<T>() - 1) / lanes<T>()) {
    const std::int64_t spectra = sides_ * n_ * step(), rows = sides_ * row_stride();
    T* at = space->at_least(static_cast<std::size_t>(2 * (spectra + n_ * step() + rows)));
    for (const auto& [part, numbers] : {std::pair(&kernel_, spectra),
                                        {&sum_, spectra},
                                        {&a_, n_ * step()},
                                        {&d_, n_ * step()},
                                        {&rows_, rows},
                                        {&d_rows_, rows}}) {
      *part = at;
      at += numbers;
    }
    read_kernel();
  }

  void forward(std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      pack(c_.x, b, rows_);
      for (std::int64_t side = 0; side < sides_; ++side) {
        take(rows_, side, a_);
        for (std::int64_t s = 0; s < kFirst; ++s) convolve(side, s * q_, q_, 1, s);
        give(a_, side, rows_);
      }
      unpack(rows_, c_.y, b);
    }
  }

  void backward(std::int64_t first, std::int64_t last) {
    std::fill_n(sum_, sides_ * n_ * step(), T(0));
    for (std::int64_t b = first; b < last; ++b) {
      pack(c_.x, b, rows_);
      pack(c_.d_y, b, d_rows_);
      for (std::int64_t side = 0; side < sides_; ++side) {
        take(rows_, side, a_);
        take(d_rows_, side, d_);
        for (std::int64_t s = 0; s < kFirst; ++s) correlate(side, s * q_, q_, 1, s);
        give(d_, side, d_rows_);
      }
      unpack(d_rows_, c_.d_x, b);
    }
    write_kernel();
  }

 private:
  std::int64_t step() const { return 2 * lanes<T>(); }
  const T* factors(std::size_t level, std::int64_t block) const {
    return c_.plan->factors[level].data() + 6 * block;
  }
  // The distance between the packed rows of two sides: a cache line more than the steps, so that
  // the sides do not fall into the same cache sets.
  std::int64_t row_stride() const { return (c_.length + 2) * lanes<T>(); }
  std::int64_t channels_of(std::int64_t side) const {
    return std::min(lanes<T>(), width_ - side * lanes<T>());
  }

  void pack(const T* all, std::int64_t b, T* rows) const {
    const Tag<T> d;
    const T* from = all + b * c_.length * c_.D + channel_;
    for (std::int64_t t = 0; t < c_.length; ++t, from += c_.D) {
      for (std::int64_t c = 0; c < width_; c += 64 / sizeof(T))
        hwy::Prefetch(from + kAhead * c_.D + c);
      for (std::int64_t side = 0; side < sides_; ++side) {
        T* const to = rows + side * row_stride() + t * lanes<T>();
        if (channels_of(side) == lanes<T>()) {
          hn::Store(hn::LoadU(d, from + side * lanes<T>()), d, to);
        } else {
          hn::Store(hn::Zero(d), d, to);
          std::copy_n(from + side * lanes<T>(), channels_of(side), to);
        }
      }
    }
  }

  // Whole cache lines are written with non-temporal stores.
  void unpack(const T* rows, T* all, std::int64_t b) const {
    const Tag<T> d;
    constexpr std::int64_t kLine = 64 / sizeof(T);
    const bool streams =
        width_ % kLine == 0 && c_.D % kLine == 0 && reinterpret_cast<std::uintptr_t>(all) % 64 == 0;
    T* to = all + b * c_.length * c_.D + channel_;
    for (std::int64_t t = 0; t < c_.length; ++t, to += c_.D)
      for (std::int64_t side = 0; side < sides_; ++side) {
        const T* const from = rows + side * row_stride() + t * lanes<T>();
        if (streams)
          hn::Stream(hn::Load(d, from), d, to + side * lanes<T>());
        else if (channels_of(side) == lanes<T>())
          hn::StoreU(hn::Load(d, from), d, to + side * lanes<T>());
        else
          std::copy_n(from, channels_of(side), to + side * lanes<T>());
      }
    if (streams) hwy::FlushStream();
  }

  // The first step of a sequence's transform; zeros after its end.
  void take(const T* rows, std::int64_t side, T* points) const {
    const T* const from = rows + side * row_stride();
    const auto read = [&](std::int64_t p) HWY_ATTR {
      return p < c_.length ? hn::Load(Tag<T>(), from + p * lanes<T>()) : hn::Zero(Tag<T>());
    };
    for (std::int64_t j = 0; j < q_; ++j) first_forward<kFirst>(q_, j, factors(0, 0), read, points);
  }
  // The last inverse step of a side; real parts are the result.
  void give(const T* points, std::int64_t side, T* rows) const {
    T* const to = rows + side * row_stride();
    const auto write = [&](std::int64_t p, const Point<T>& point) HWY_ATTR {
      if (p < c_.length) hn::Store(point.re, Tag<T>(), to + p * lanes<T>());
    };
    for (std::int64_t j = 0; j < q_; ++j)
      first_inverse<kFirst, T>(q_, j, factors(0, 0), points, write);
  }

  // Steps by four, depth first, so that points stay in a cache: forward, times the kernel's
  // spectrum, back.
  void convolve(std::int64_t side, std::int64_t at, std::int64_t N, std::size_t level,
                std::int64_t block) {
    T* const a = a_ + at * step();
    if (N == 4) {
      const Factors<T> by(factors(level, block));
      Point<T> x[4];
      for (int p = 0; p < 4; ++p) x[p] = load<T>(a, p);
      step_forward(by, x);
      for (int p = 0; p < 4; ++p) x[p] = x[p] * load<T>(kernel_ + (side * n_ + at) * step(), p);
      step_inverse(by, x);
      for (int p = 0; p < 4; ++p) store(x[p], a, p);
      return;
    }
    step_in_place<true>(a, N, factors(level, block));
    for (std::int64_t s = 0; s < 4; ++s)
      convolve(side, at + s * N / 4, N / 4, level + 1, 4 * block + s);
    step_in_place<false>(a, N, factors(level, block));
  }

  // Products for the gradients: sum += conj(x) d, d = d conj(kernel).
  void correlate(std::int64_t side, std::int64_t at, std::int64_t N, std::size_t level,
                 std::int64_t block) {
    T *const a = a_ + at * step(), *const d = d_ + at * step();
    if (N == 4) {
      const Factors<T> by(factors(level, block));
      const T* const k = kernel_ + (side * n_ + at) * step();
      T* const sum = sum_ + (side * n_ + at) * step();
      Point<T> x[4], y[4];
      for (int p = 0; p < 4; ++p) x[p] = load<T>(a, p);
      step_forward(by, x);
      for (int p = 0; p < 4; ++p) y[p] = load<T>(d, p);
      step_forward(by, y);
      for (int p = 0; p < 4; ++p) {
        store(load<T>(sum, p) + times_conjugate(y[p], x[p]), sum, p);
        y[p] = times_conjugate(y[p], load<T>(k, p));
      }
      step_inverse(by, y);
      for (int p = 0; p < 4; ++p) store(y[p], d, p);
      return;
    }
    step_in_place<true>(a, N, factors(level, block));
    step_in_place<true>(d, N, factors(level, block));
    for (std::int64_t s = 0; s < 4; ++s)
      correlate(side, at + s * N / 4, N / 4, level + 1, 4 * block + s);
    step_in_place<false>(d, N, factors(level, block));
  }

  // The spectrum of a kernel, which has imaginary parts if there are two directions.
  void transform(T* a) {
    for (std::int64_t j = 0; j < q_; ++j)
      first_forward<kFirst>(
          q_, j, factors(0, 0), [a](std::int64_t p) HWY_ATTR { return load<T>(a, p); }, a);
    std::int64_t N = q_;
    for (std::size_t level = 1; N > 1; ++level, N /= 4)
      for (std::int64_t block = 0; block < n_ / N; ++block)
        step_in_place<true>(a + block * N * step(), N, factors(level, block));
  }
  void transform_back(T* a) {
    std::int64_t N = 4;
    for (std::size_t level = c_.plan->factors.size() - 1; level > 0; --level, N *= 4)
      for (std::int64_t block = 0; block < n_ / N; ++block)
        step_in_place<false>(a + block * N * step(), N, factors(level, block));
    for (std::int64_t j = 0; j < q_; ++j)
      first_inverse<kFirst, T>(q_, j, factors(0, 0), a,
                               [a](std::int64_t p, const Point<T>& point)
                                   HWY_ATTR { store(point, a, p); });
  }

  // Calls visit(index in [directions, D, K], its place among the points) for all taps that reach an
  // output. The second direction wraps around the end, times i: into imaginary parts.
  template <class Visit>
  void each_tap(T* points, const Visit& visit) const {
    for (std::int64_t g = 0; g < c_.directions; ++g) {
      const std::int64_t lag = g == 0 ? 0 : c_.lag, taps = std::min(c_.K, c_.length - lag);
      for (std::int64_t first = 0; first < taps; first += kTaps)
        for (std::int64_t w = 0; w < width_; ++w) {
          T* const at = points + w / lanes<T>() * n_ * step();
          for (std::int64_t j = first; j < std::min(first + kTaps, taps); ++j) {
            const bool around = g == 1 && j + lag > 0;
            const std::int64_t p = around ? n_ - lag - j : j;
            visit(((g * c_.D) + channel_ + w) * c_.K + j,
                  at[p * step() + (around ? lanes<T>() : 0) + w % lanes<T>()]);
          }
        }
    }
  }

  // Divides by n here, as the inverse transform requires.
  void read_kernel() {
    std::fill_n(kernel_, sides_ * n_ * step(), T(0));
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(kernel_, [&](std::int64_t tap, T& value) { value += scale * c_.kernel[tap]; });
    for (std::int64_t side = 0; side < sides_; ++side) transform(kernel_ + side * n_ * step());
  }

  void write_kernel() {
    for (std::int64_t side = 0; side < sides_; ++side) transform_back(sum_ + side * n_ * step());
    const T scale = T(1) / static_cast<T>(n_);
    each_tap(sum_, [&](std::int64_t tap, T& value) { c_.d_kernel[tap] = scale * value; });
  }

  const FftConv<T>& c_;
  const std::int64_t n_, q_, channel_, width_, sides_;
  // kernel_, sum_: spectra of the kernel and its gradient, of all sides. a_, d_: spectra of a
  // sequence, of one side. rows_, d_rows_: packed rows of all sides.
  T *kernel_, *sum_, *a_, *d_, *rows_, *d_rows_;
};

template <class T, class Work>
void with_group(const FftConv<T>& conv, std::int64_t channel, FftSpace<T>* space,
                const Work& work) {
  switch (conv.plan->first) {
    case 3:
      return work(Group<3, T>(conv, channel, space));
    case 4:
      return work(Group<4, T>(conv, channel, space));
    case 6:
      return work(Group<6, T>(conv, channel, space));
    default:
      return work(Group<8, T>(conv, channel, space));
  }
}

template <class T>
void forward(const FftConv<T>& conv, std::int64_t channel, std::int64_t first, std::int64_t last,
             FftSpace<T>* space) {
  with_group(conv, channel, space, [&](auto&& group) { group.forward(first, last); });
}
template <class T>
void backward(const FftConv<T>& conv, std::int64_t channel, std::int64_t first, std::int64_t last,
              FftSpace<T>* space) {
  with_group(conv, channel, space, [&](auto&& group) { group.backward(first, last); });
}

template <class T>
FftConvKernels<T> kernels() {
  return {forward<T>, backward<T>};
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
