// Steps of instructions that compute each lane separately, made from functions of one lane, and
// their choice by type.
#pragma once

#include <type_traits>

#include "tests/ptx/machine.h"
#include "tests/ptx/opcodes.h"

namespace ptx {

template <auto F, class T>
void unary_step(const Instruction& i, Warp& w, u32 mask) {
  T* to = w.at<T>(i.at[0]);
  const T* a = w.at<T>(i.at[1]);
  lanes(mask, [=](int l) { to[l] = F(a[l]); });
}

template <auto F, class T>
void binary_step(const Instruction& i, Warp& w, u32 mask) {
  T* to = w.at<T>(i.at[0]);
  const T *a = w.at<T>(i.at[1]), *b = w.at<T>(i.at[2]);
  lanes(mask, [=](int l) { to[l] = F(a[l], b[l]); });
}

template <auto F, class T>
void ternary_step(const Instruction& i, Warp& w, u32 mask) {
  T* to = w.at<T>(i.at[0]);
  const T *a = w.at<T>(i.at[1]), *b = w.at<T>(i.at[2]), *c = w.at<T>(i.at[3]);
  lanes(mask, [=](int l) { to[l] = F(a[l], b[l], c[l]); });
}

template <int N, auto F, class T>
constexpr Step step_of() {
  if constexpr (N == 1) return unary_step<F, T>;
  if constexpr (N == 2) return binary_step<F, T>;
  if constexpr (N == 3) return ternary_step<F, T>;
}

// The step for a type; nullptr if the function does not support it.
template <int N, auto F>
Step integer_step(Type type) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return step_of<N, F, u16>();
    case Type::kS16:
      return step_of<N, F, i16>();
    case Type::kB32:
    case Type::kU32:
      return step_of<N, F, u32>();
    case Type::kS32:
      return step_of<N, F, i32>();
    case Type::kB64:
    case Type::kU64:
      return step_of<N, F, u64>();
    case Type::kS64:
      return step_of<N, F, i64>();
    default:
      return nullptr;
  }
}

template <int N, auto F>
Step float_step(Type type) {
  return type == Type::kF32   ? step_of<N, F, float>()
         : type == Type::kF64 ? step_of<N, F, double>()
                              : nullptr;
}

template <int N, auto F>
Step bit_step(Type type) {
  switch (bytes_of(type)) {
    case 1:
      return step_of<N, F, u8>();
    case 2:
      return step_of<N, F, u16>();
    case 4:
      return step_of<N, F, u32>();
    case 8:
      return step_of<N, F, u64>();
    default:
      return nullptr;
  }
}

// to, a, b ... all of the type of the statement.
inline void same_operands(Decoder& d, std::size_t count) {
  d.expect(count, count);
  d.out(0, d.type());
  for (std::size_t k = 1; k < count; ++k) d.in(k, d.type());
}

// Modifiers of floats: a rounding, .ftz, .sat. An instruction that has one runs its plain step on
// copies; `careful` is in rows/float.cpp.
void set_rounding(Decoder& d);
void make_careful(Decoder& d);
// add, mul and similar opcodes: integers and floats.
void build_float_or_integer(Decoder& d);

}  // namespace ptx
