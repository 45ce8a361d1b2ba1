// The three passes of the complex scan over a row of a block, per target (include inside
// foreach_target): a tile of m, or of its gradient, stays in registers.
#if defined(LCSM_COMPLEX_SCAN_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_COMPLEX_SCAN_PASS_CPU_INL_H_
#undef LCSM_COMPLEX_SCAN_PASS_CPU_INL_H_
#else
#define LCSM_COMPLEX_SCAN_PASS_CPU_INL_H_
#endif

#include "lcsm/cpu/scan/scan_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// A part of o, w or r.
template <class T>
struct Factor {
  const T* at = nullptr;
  std::int64_t step = 0;  // between the cells of two steps; 0 = static
  T* d = nullptr;         // its gradient: cells; for a static tape channels, summed over the steps
};

// One row of the memory in one strip. Cells are [steps, width]; pointers are at the strip's first
// column.
template <class T, int kParts>
struct ComplexStrip {
  std::int64_t steps = 0, width = 0;
  const T *i = nullptr, *d_y = nullptr;
  T *y = nullptr, *d_i = nullptr;
  const T *e = nullptr, *s = nullptr;  // [steps]
  T *d_e = nullptr, *d_s = nullptr;    // [steps, lanes], added
  Factor<T> o[kParts], w[kParts], r[kParts];
  T* memory[kParts];  // m, or its gradient: in and out
  T* before[kParts];  // cells, m_{t-1}: recompute writes, reverse reads
};

template <int kParts, int kVectors, bool kWeighted, bool kStatic, class T>
struct ComplexPasses {
  using V = hn::Vec<Tag<T>>;
  using Strip = ComplexStrip<T, kParts>;
  using Number = V[kParts];
  using Tile = V[kVectors][kParts];
  static constexpr std::int64_t kLanes = hn::MaxLanes(Tag<T>());

  // o, w or r of the tile; for a static tape, loaded once.
  struct Reader {
    HWY_INLINE Reader(const Factor<T> (&factor)[kParts], std::int64_t at) {
      for (int n = 0; n < kParts; ++n) from[n] = factor[n].at + at, step[n] = factor[n].step;
      if constexpr (kStatic)
        for (int v = 0; v < kVectors; ++v)
          for (int n = 0; n < kParts; ++n) once[v][n] = hn::LoadU(Tag<T>(), from[n] + v * kLanes);
    }
    HWY_INLINE V operator()(int n, int v, std::int64_t t) const {
      if constexpr (kStatic) return once[v][n];
      return hn::LoadU(Tag<T>(), from[n] + t * step[n] + v * kLanes);
    }
    const T* from[kParts];
    std::int64_t step[kParts];
    V once[kStatic ? kVectors : 1][kParts];
  };

  // The gradient of o, w or r; for a static tape, summed in registers.
  struct Writer {
    HWY_INLINE Writer(const Factor<T> (&factor)[kParts], std::int64_t at_, std::int64_t width_)
        : at(at_), width(width_) {
      for (int n = 0; n < kParts; ++n) to[n] = factor[n].d;
      if constexpr (kStatic)
        for (int v = 0; v < kVectors; ++v)
          for (int n = 0; n < kParts; ++n) sum[v][n] = hn::Zero(Tag<T>());
    }
    HWY_INLINE void operator()(int n, int v, std::int64_t t, V a, V b) {
      if constexpr (kStatic)
        sum[v][n] = hn::MulAdd(a, b, sum[v][n]);
      else
        hn::StoreU(hn::Mul(a, b), Tag<T>(), to[n] + t * width + at + v * kLanes);
    }
    // a b + c d
    HWY_INLINE void operator()(int n, int v, std::int64_t t, V a, V b, V c, V d) {
      if constexpr (kStatic)
        sum[v][n] = hn::MulAdd(a, b, hn::MulAdd(c, d, sum[v][n]));
      else
        hn::StoreU(hn::MulAdd(a, b, hn::Mul(c, d)), Tag<T>(), to[n] + t * width + at + v * kLanes);
    }
    HWY_INLINE void finish() const {
      if constexpr (kStatic)
        for (int v = 0; v < kVectors; ++v)
          for (int n = 0; n < kParts; ++n) hn::StoreU(sum[v][n], Tag<T>(), to[n] + at + v * kLanes);
    }
    const std::int64_t at, width;
    T* to[kParts];
    V sum[kStatic ? kVectors : 1][kParts];
  };

  static HWY_INLINE void load(const Strip& p, std::int64_t at, Tile& m) {
    for (int v = 0; v < kVectors; ++v)
      for (int n = 0; n < kParts; ++n) m[v][n] = hn::LoadU(Tag<T>(), p.memory[n] + at + v * kLanes);
  }
  static HWY_INLINE void store(const Strip& p, std::int64_t at, const Tile& m) {
    for (int v = 0; v < kVectors; ++v)
      for (int n = 0; n < kParts; ++n) hn::StoreU(m[v][n], Tag<T>(), p.memory[n] + at + v * kLanes);
  }

  // o m + w x
  static HWY_INLINE void step(const Reader& o, const Reader& w, int v, std::int64_t t, V x,
                              Number& m) {
    const V in = kWeighted ? hn::Mul(w(0, v, t), x) : x;
    const V o_re = o(0, v, t), re = m[0];
    if constexpr (kParts == 1) {
      m[0] = hn::MulAdd(o_re, re, in);
    } else {
      const V o_im = o(1, v, t), im = m[1], turned = hn::Mul(o_im, re);
      m[0] = hn::MulAdd(o_re, re, hn::NegMulAdd(o_im, im, in));
      m[1] = hn::MulAdd(o_re, im, kWeighted ? hn::MulAdd(w(1, v, t), x, turned) : turned);
    }
  }
  // Re(r m)
  static HWY_INLINE V read(const Reader& r, int v, std::int64_t t, const Number& m) {
    if constexpr (!kWeighted) return m[0];
    const V re = hn::Mul(r(0, v, t), m[0]);
    if constexpr (kParts == 1) return re;
    return hn::NegMulAdd(r(kParts - 1, v, t), m[kParts - 1], re);
  }
  static HWY_INLINE void add(V sum, T* to) {
    hn::StoreU(hn::Add(sum, hn::LoadU(Tag<T>(), to)), Tag<T>(), to);
  }

  static HWY_NOINLINE void forward(const Strip& strip, std::int64_t at) {
    const Strip p = strip;  // stores through T* cannot change a copy
    const Tag<T> d;
    const Reader o(p.o, at), w(kWeighted ? p.w : p.o, at), r(kWeighted ? p.r : p.o, at);
    Tile m;
    load(p, at, m);
    for (std::int64_t t = 0; t < p.steps; ++t) {
      const V e = hn::Set(d, p.e[t]), s = hn::Set(d, p.s[t]);
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t cell = t * p.width + at + v * kLanes;
        step(o, w, v, t, hn::Mul(e, hn::LoadU(d, p.i + cell)), m[v]);
        hn::StoreU(hn::MulAdd(s, read(r, v, t, m[v]), hn::LoadU(d, p.y + cell)), d, p.y + cell);
      }
    }
    store(p, at, m);
  }

  // Recomputes m and stores m_{t-1} of every step; sums the gradients of s and r.
  static HWY_NOINLINE void recompute(const Strip& strip, std::int64_t at) {
    const Strip p = strip;
    const Tag<T> d;
    const Reader o(p.o, at), w(kWeighted ? p.w : p.o, at), r(kWeighted ? p.r : p.o, at);
    Writer d_r(p.r, at, p.width);
    Tile m;
    load(p, at, m);
    for (std::int64_t t = 0; t < p.steps; ++t) {
      const V e = hn::Set(d, p.e[t]), s = hn::Set(d, p.s[t]);
      V along = hn::Zero(d);
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t cell = t * p.width + at + v * kLanes;
        for (int n = 0; n < kParts; ++n) hn::StoreU(m[v][n], d, p.before[n] + cell);
        step(o, w, v, t, hn::Mul(e, hn::LoadU(d, p.i + cell)), m[v]);
        const V d_y = hn::LoadU(d, p.d_y + cell);
        along = hn::MulAdd(read(r, v, t, m[v]), d_y, along);
        if constexpr (kWeighted) {
          const V d_read = hn::Mul(s, d_y);
          d_r(0, v, t, d_read, m[v][0]);
          if constexpr (kParts == 2) d_r(1, v, t, hn::Neg(d_read), m[v][1]);
        }
      }
      add(along, p.d_s + t * kLanes);
    }
    if constexpr (kWeighted) d_r.finish();
  }

  // Carries the gradient g of m back in time; sums the gradients of i, e, w and o.
  static HWY_NOINLINE void reverse(const Strip& strip, std::int64_t at) {
    const Strip p = strip;
    const Tag<T> d;
    const Reader o(p.o, at), w(kWeighted ? p.w : p.o, at), r(kWeighted ? p.r : p.o, at);
    Writer d_o(p.o, at, p.width), d_w(p.w, at, p.width);
    Tile g;
    load(p, at, g);
    for (std::int64_t t = p.steps - 1; t >= 0; --t) {
      const V e = hn::Set(d, p.e[t]), s = hn::Set(d, p.s[t]);
      V along = hn::Zero(d);
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t cell = t * p.width + at + v * kLanes;
        const V i = hn::LoadU(d, p.i + cell), d_read = hn::Mul(s, hn::LoadU(d, p.d_y + cell));
        Number now;  // the gradient of m_t
        now[0] = kWeighted ? hn::MulAdd(d_read, r(0, v, t), g[v][0]) : hn::Add(d_read, g[v][0]);
        if constexpr (kParts == 2)
          now[1] = kWeighted ? hn::NegMulAdd(d_read, r(1, v, t), g[v][1]) : g[v][1];
        const V d_x = entered(w, v, t, now);
        along = hn::MulAdd(d_x, i, along);
        hn::StoreU(hn::MulAdd(d_x, e, hn::LoadU(d, p.d_i + cell)), d, p.d_i + cell);
        if constexpr (kWeighted) {
          const V x = hn::Mul(e, i);
          for (int n = 0; n < kParts; ++n) d_w(n, v, t, now[n], x);
        }
        carry(p, o, v, t, cell, now, d_o, g[v]);
      }
      add(along, p.d_e + t * kLanes);
    }
    store(p, at, g);
    d_o.finish();
    if constexpr (kWeighted) d_w.finish();
  }

 private:
  // The gradient of x = e i, which w multiplies.
  static HWY_INLINE V entered(const Reader& w, int v, std::int64_t t, const Number& now) {
    if constexpr (!kWeighted) return now[0];
    const V re = hn::Mul(now[0], w(0, v, t));
    if constexpr (kParts == 1) return re;
    return hn::MulAdd(now[kParts - 1], w(kParts - 1, v, t), re);
  }
  // From the gradient of m_t to the gradients of o_t and m_{t-1}.
  static HWY_INLINE void carry(const Strip& p, const Reader& o, int v, std::int64_t t,
                               std::int64_t cell, const Number& now, Writer& d_o, Number& g) {
    const Tag<T> d;
    const V re = hn::LoadU(d, p.before[0] + cell), o_re = o(0, v, t);
    if constexpr (kParts == 1) {
      d_o(0, v, t, now[0], re);
      g[0] = hn::Mul(o_re, now[0]);
    } else {
      const V im = hn::LoadU(d, p.before[1] + cell), o_im = o(1, v, t);
      d_o(0, v, t, now[0], re, now[1], im);
      d_o(1, v, t, now[1], re, hn::Neg(now[0]), im);
      g[0] = hn::MulAdd(o_re, now[0], hn::Mul(o_im, now[1]));
      g[1] = hn::NegMulAdd(o_im, now[0], hn::Mul(o_re, now[1]));
    }
  }
};

template <int kParts, int kVectors, bool kWeighted, bool kStatic, class T>
void run_complex(Pass pass, const ComplexStrip<T, kParts>& p, std::int64_t at) {
  using P = ComplexPasses<kParts, kVectors, kWeighted, kStatic, T>;
  if (pass == Pass::kForward) return P::forward(p, at);
  if (pass == Pass::kReverse) return P::reverse(p, at);
  P::recompute(p, at);
}

// Runs a pass over the strip, two vectors at a time, then one.
template <int kParts, class T>
void pass_over(Pass pass, const ComplexStrip<T, kParts>& p, bool weighted, bool is_static) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  const auto by = [&](auto vectors, std::int64_t at) {
    constexpr int kVectors = decltype(vectors)::value;
    if (weighted)
      return is_static ? run_complex<kParts, kVectors, true, true>(pass, p, at)
                       : run_complex<kParts, kVectors, true, false>(pass, p, at);
    if constexpr (kParts == 2)  // the real scan computes a real memory without weights
      return is_static ? run_complex<kParts, kVectors, false, true>(pass, p, at)
                       : run_complex<kParts, kVectors, false, false>(pass, p, at);
  };
  std::int64_t at = 0;
  for (; at + 2 * lanes <= p.width; at += 2 * lanes) by(std::integral_constant<int, 2>(), at);
  if (at < p.width) by(std::integral_constant<int, 1>(), at);
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
