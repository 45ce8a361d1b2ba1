#include "lcsm/cpu/delta_cpu.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <type_traits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/delta_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// Vectors of a strip. Each has two sums (for y and for w), over even and over odd rows; together
// they fill the registers.
inline constexpr int kVectors = kWideRegisters ? 4 : 2;

template <class T>
class Strip {
 public:
  using V = hn::Vec<Tag<T>>;

  Strip(const Delta<T>& p, std::int64_t first, std::int64_t width)
      : p_(p),
        first_(first),
        width_(width),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        vectors_((width + lanes_ - 1) / lanes_),
        memory_(hwy::AllocateAligned<T>(static_cast<std::size_t>(p.K * vectors_ * lanes_))) {}

  void run(bool forward) {
    const std::int64_t row = vectors_ * lanes_;
    std::fill_n(memory_.get(), p_.K * row, T(0));
    for (std::int64_t k = 0; k < p_.K; ++k)
      std::copy_n(p_.memory + k * p_.D + first_, width_, memory_.get() + k * row);
    const auto by_width = [&](auto width) {
      constexpr int kWide = decltype(width)::value;
      if (p_.a)
        forward ? this->template forward<kWide, true>() : this->template backward<kWide, true>();
      else
        forward ? this->template forward<kWide, false>() : this->template backward<kWide, false>();
    };
    if (vectors_ == 1) by_width(std::integral_constant<int, 1>());
    if (vectors_ == 2) by_width(std::integral_constant<int, 2>());
    if constexpr (kVectors == 4) {
      if (vectors_ == 3) by_width(std::integral_constant<int, 3>());
      if (vectors_ == 4) by_width(std::integral_constant<int, 4>());
    }
    for (std::int64_t k = 0; k < p_.K; ++k)
      std::copy_n(memory_.get() + k * row, width_, p_.memory + k * p_.D + first_);
  }

 private:
  // Sums even and odd rows separately, since a single sum would wait for each addition.
  template <int kWide>
  struct Sums {
    V of[2][kWide];
    Sums() { clear(); }
    HWY_INLINE void clear() {
      for (auto& half : of)
        for (V& sum : half) sum = hn::Zero(Tag<T>());
    }
    HWY_INLINE V total(int n) const { return hn::Add(of[0][n], of[1][n]); }
  };

  template <int kWide>
  HWY_INLINE void load(const T* rows, std::int64_t t, V (&to)[kWide]) const {
    HWY_ALIGN T padded[kWide * HWY_MAX_BYTES / sizeof(T)] = {};
    std::copy_n(rows + t * p_.D + first_, width_, padded);
    for (int n = 0; n < kWide; ++n) to[n] = hn::Load(Tag<T>(), padded + n * lanes_);
  }
  template <int kWide>
  HWY_INLINE void store(const V (&from)[kWide], T* rows, std::int64_t t) const {
    HWY_ALIGN T padded[kWide * HWY_MAX_BYTES / sizeof(T)];
    for (int n = 0; n < kWide; ++n) hn::Store(from[n], Tag<T>(), padded + n * lanes_);
    std::copy_n(padded, width_, rows + t * p_.D + first_);
  }

  // read = v_0^T m, before the first step.
  template <int kWide>
  HWY_INLINE void look(const T* v, Sums<kWide>* read) const {
    const Tag<T> d;
    for (std::int64_t k = 0; k < p_.K; ++k)
      for (int n = 0; n < kWide; ++n) {
        V& sum = read->of[k % 2][n];
        sum = hn::MulAdd(hn::Set(d, v[k]), hn::Load(d, memory_.get() + (k * kWide + n) * lanes_),
                         sum);
      }
  }

  // m = a m + u w^T, y = s^T m, and v^T m for the w of the next step.
  template <int kWide, bool kDecays>
  void forward() {
    const Tag<T> d;
    Sums<kWide> read, out;
    look(p_.v, &read);
    for (std::int64_t t = 0; t < p_.steps; ++t) {
      const T *u = p_.u + t * p_.K, *s = p_.s + t * p_.K;
      const T* next = p_.v + std::min(t + 1, p_.steps - 1) * p_.K;
      const V a = hn::Set(d, kDecays ? p_.a[t] : T(1));
      V w[kWide], y[kWide];
      load(p_.i, t, w);
      for (int n = 0; n < kWide; ++n)
        w[n] = kDecays ? hn::NegMulAdd(a, read.total(n), w[n]) : hn::Sub(w[n], read.total(n));
      store(w, p_.w, t);
      read.clear();
      out.clear();
      const auto row = [&](std::int64_t k, auto half) {
        constexpr int kHalf = decltype(half)::value;
        const V write = hn::Set(d, u[k]), shrink = hn::Set(d, s[k]), ahead = hn::Set(d, next[k]);
        T* const at = memory_.get() + k * kWide * lanes_;
        for (int n = 0; n < kWide; ++n) {
          const V before = hn::Load(d, at + n * lanes_);
          const V m = hn::MulAdd(write, w[n], kDecays ? hn::Mul(a, before) : before);
          hn::Store(m, d, at + n * lanes_);
          out.of[kHalf][n] = hn::MulAdd(shrink, m, out.of[kHalf][n]);
          read.of[kHalf][n] = hn::MulAdd(ahead, m, read.of[kHalf][n]);
        }
      };
      each_row(row);
      for (int n = 0; n < kWide; ++n) y[n] = out.total(n);
      store(y, p_.y, t);
    }
  }

  // g += s d_y^T, d_w = u^T g, g = a (g - v d_w^T); this last update is done together with the
  // addition of the step before in time.
  template <int kWide, bool kDecays>
  void backward() {
    const Tag<T> d;
    Sums<kWide> read;
    V last[kWide];  // d_w of the step after
    for (V& each : last) each = hn::Zero(d);
    for (std::int64_t t = p_.steps - 1; t >= 0; --t) {
      const T *s = p_.s + t * p_.K, *u = p_.u + t * p_.K;
      const T* v = p_.v + std::min(t + 1, p_.steps - 1) * p_.K;
      const V a = hn::Set(d, kDecays && t + 1 < p_.steps ? p_.a[t + 1] : T(1));
      V d_y[kWide];
      load(p_.d_y, t, d_y);
      read.clear();
      const auto row = [&](std::int64_t k, auto half) {
        constexpr int kHalf = decltype(half)::value;
        const V shrink = hn::Set(d, s[k]), erase = hn::Set(d, v[k]), write = hn::Set(d, u[k]);
        T* const at = memory_.get() + k * kWide * lanes_;
        for (int n = 0; n < kWide; ++n) {
          V g = hn::NegMulAdd(erase, last[n], hn::Load(d, at + n * lanes_));
          if constexpr (kDecays) g = hn::Mul(a, g);
          g = hn::MulAdd(shrink, d_y[n], g);
          hn::Store(g, d, at + n * lanes_);
          read.of[kHalf][n] = hn::MulAdd(write, g, read.of[kHalf][n]);
        }
      };
      each_row(row);
      for (int n = 0; n < kWide; ++n) last[n] = read.total(n);
      store(last, p_.w, t);
    }
    for (std::int64_t k = 0; k < p_.K; ++k)
      for (int n = 0; n < kWide; ++n) {
        T* const at = memory_.get() + (k * kWide + n) * lanes_;
        const V g = hn::NegMulAdd(hn::Set(d, p_.v[k]), last[n], hn::Load(d, at));
        hn::Store(kDecays ? hn::Mul(hn::Set(d, p_.a[0]), g) : g, d, at);
      }
  }

  template <class Row>
  HWY_INLINE void each_row(const Row& row) const {
    std::int64_t k = 0;
    for (; k + 2 <= p_.K; k += 2) {
      row(k, std::integral_constant<int, 0>());
      row(k + 1, std::integral_constant<int, 1>());
    }
    if (k < p_.K) row(k, std::integral_constant<int, 0>());
  }

  const Delta<T>& p_;
  const std::int64_t first_, width_, lanes_, vectors_;
  const hwy::AlignedFreeUniquePtr<T[]> memory_;
};

template <class T>
void run(const Delta<T>& delta, bool forward) {
  const auto strip = static_cast<std::int64_t>(kVectors * hn::Lanes(Tag<T>()));
  for (std::int64_t first = delta.first; first < delta.last; first += strip)
    Strip<T>(delta, first, std::min(strip, delta.last - first)).run(forward);
}

template <class T>
DeltaKernels<T> kernels_of() {
  return {[](const Delta<T>& delta) { run(delta, true); },
          [](const Delta<T>& delta) { run(delta, false); }};
}
DeltaKernels<float> float_kernels() { return kernels_of<float>(); }
DeltaKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_KERNELS(DeltaKernels, delta_kernels)

}  // namespace lcsm
#endif
