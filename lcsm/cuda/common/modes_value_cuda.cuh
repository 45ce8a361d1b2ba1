// Numbers of modes and scans, real or complex, in float32 and float64.
#pragma once

namespace lcsm {

__device__ inline float fused(float a, float b, float c) { return fmaf(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return fma(a, b, c); }

// A real number, or the real and the imaginary part.
template <class Number, int kParts>
struct ModeValue {
  Number x[kParts];
};

// a b + c
template <class Number>
__device__ ModeValue<Number, 1> added(const ModeValue<Number, 1>& a, const ModeValue<Number, 1>& b,
                                      const ModeValue<Number, 1>& c) {
  return {{fused(a.x[0], b.x[0], c.x[0])}};
}
template <class Number>
__device__ ModeValue<Number, 2> added(const ModeValue<Number, 2>& a, const ModeValue<Number, 2>& b,
                                      const ModeValue<Number, 2>& c) {
  return {{fused(a.x[0], b.x[0], fused(-a.x[1], b.x[1], c.x[0])),
           fused(a.x[0], b.x[1], fused(a.x[1], b.x[0], c.x[1]))}};
}
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> product(const ModeValue<Number, kParts>& a,
                                             const ModeValue<Number, kParts>& b) {
  return added(a, b, ModeValue<Number, kParts>{});
}
// a b + x of a real x.
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> added(const ModeValue<Number, kParts>& a,
                                           const ModeValue<Number, kParts>& b, Number x) {
  ModeValue<Number, kParts> c = {};
  c.x[0] = x;
  return added(a, b, c);
}
// x a + c of a real x.
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> scaled(Number x, const ModeValue<Number, kParts>& a,
                                            const ModeValue<Number, kParts>& c) {
  ModeValue<Number, kParts> sum;
#pragma unroll
  for (int p = 0; p < kParts; ++p) sum.x[p] = fused(x, a.x[p], c.x[p]);
  return sum;
}
// Re(a b) + x
template <class Number>
__device__ Number real_added(const ModeValue<Number, 1>& a, const ModeValue<Number, 1>& b,
                             Number x) {
  return fused(a.x[0], b.x[0], x);
}
template <class Number>
__device__ Number real_added(const ModeValue<Number, 2>& a, const ModeValue<Number, 2>& b,
                             Number x) {
  return fused(a.x[0], b.x[0], fused(-a.x[1], b.x[1], x));
}

// a^n, n > 0
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> power(ModeValue<Number, kParts> a, int n) {
  for (; n % 2 == 0; n /= 2) a = product(a, a);
  ModeValue<Number, kParts> result = a;
  while ((n /= 2) > 0) {
    a = product(a, a);
    if (n % 2 == 1) result = product(result, a);
  }
  return result;
}
// a^(2^n)
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> squared(ModeValue<Number, kParts> a, int n) {
  for (int k = 0; k < n; ++k) a = product(a, a);
  return a;
}

template <class To, class From, int kParts>
__device__ ModeValue<To, kParts> as(const ModeValue<From, kParts>& a) {
  ModeValue<To, kParts> result;
#pragma unroll
  for (int p = 0; p < kParts; ++p) result.x[p] = static_cast<To>(a.x[p]);
  return result;
}
template <class Number, int kParts>
__device__ ModeValue<Number, kParts> conjugate(ModeValue<Number, kParts> a) {
  if (kParts == 2) a.x[kParts - 1] = -a.x[kParts - 1];
  return a;
}

// Number `at` of [..., D].
__device__ inline ModeValue<double, 1> mode_at(const ModeValue<double, 1>*, const double* from,
                                               long long at) {
  return {{from[at]}};
}
__device__ inline ModeValue<double, 2> mode_at(const ModeValue<double, 2>*, const double* from,
                                               long long at) {
  const double2 both = reinterpret_cast<const double2*>(from)[at];
  return {{both.x, both.y}};
}
template <int kParts>
__device__ ModeValue<double, kParts> mode_of(const double* from, long long at) {
  return mode_at(static_cast<const ModeValue<double, kParts>*>(nullptr), from, at);
}
__device__ inline void put_mode(double* to, long long at, const ModeValue<double, 1>& a) {
  to[at] = a.x[0];
}
__device__ inline void put_mode(double* to, long long at, const ModeValue<double, 2>& a) {
  reinterpret_cast<double2*>(to)[at] = {a.x[0], a.x[1]};
}

}  // namespace lcsm
