// cvt: between whole numbers and floats of every width, in every rounding.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

// Whole numbers are read into 64 bits; the sign of unsigned ones of 64 bits is told by the type.
i64 whole_at(Warp& w, int place, int width, Type type, int l) {
  u64 raw = 0;
  std::memcpy(&raw, w.file + place + l * width, static_cast<std::size_t>(width));
  const int unused = 64 - 8 * bytes_of(type);
  return is_signed(type) ? static_cast<i64>(raw << unused) >> unused
                         : static_cast<i64>(raw << unused >> unused);
}

void put_whole(Warp& w, int place, int width, u64 value, int l) {
  std::memcpy(w.file + place + l * width, &value, static_cast<std::size_t>(width));
}

double real_at(Warp& w, int place, Type type, int l) {
  switch (type) {
    case Type::kF64:
      return w.at<double>(place)[l];
    case Type::kF32:
      return w.at<float>(place)[l];
    case Type::kF16:
      return of_half(w.at<u16>(place)[l]);
    default:
      return of_bf16(w.at<u16>(place)[l]);
  }
}

void put_real(Warp& w, int place, Type type, double x, Rounding rounding, int l) {
  switch (type) {
    case Type::kF64:
      w.at<double>(place)[l] = x;
      break;
    case Type::kF32:
      w.at<float>(place)[l] =
          static_cast<float>(rounding == Rounding::kNearest ? x : rounded(x, kSingle, rounding));
      break;
    case Type::kTf32:
      w.at<float>(place)[l] = static_cast<float>(rounded(x, kTensor, rounding));
      break;
    case Type::kF16:
      w.at<u16>(place)[l] = half_of(x, rounding);
      break;
    default:
      w.at<u16>(place)[l] = bf16_of(x, rounding);
  }
}

double in_range(double x, bool saturate, bool positive) {
  if (saturate) return std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0);
  return positive && !std::isnan(x) ? std::fmax(x, 0) : x;
}

u64 limits(Type type, bool upper) {
  const int bits = 8 * bytes_of(type);
  if (!is_signed(type)) return upper ? ~0ull >> (64 - bits) : 0;
  const u64 top = 1ull << (bits - 1);
  return upper ? top - 1 : 0 - top;
}

// .sat of whole numbers; `wide` says that a value beyond the signed 64 bits was unsigned.
u64 saturated(i64 value, bool wide, Type type) {
  const u64 lowest = limits(type, false), highest = limits(type, true);
  if (wide || value >= 0) return std::min(static_cast<u64>(value), highest);
  return is_signed(type) ? static_cast<u64>(std::max(value, static_cast<i64>(lowest))) : 0;
}

void whole_to_whole(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    const i64 value = whole_at(w, i.at[1], i.width[1], i.second, l);
    u64 result =
        i.saturate ? saturated(value, !is_signed(i.second), i.type) : static_cast<u64>(value);
    // A wider register than the type keeps the sign.
    const int unused = 64 - 8 * bytes_of(i.type);
    result = is_signed(i.type) ? static_cast<u64>(static_cast<i64>(result << unused) >> unused)
                               : result << unused >> unused;
    put_whole(w, i.at[0], i.width[0], result, l);
  });
}

void whole_to_real(const Instruction& i, Warp& w, u32 mask) {
  const bool single = i.type == Type::kF32 && i.rounding == Rounding::kNearest;
  lanes(mask, [&](int l) {
    const i64 value = whole_at(w, i.at[1], i.width[1], i.second, l);
    const bool negative = is_signed(i.second);
    if (single)  // not by way of a double, which would round twice
      w.at<float>(i.at[0])[l] =
          negative ? static_cast<float>(value) : static_cast<float>(static_cast<u64>(value));
    else
      put_real(w, i.at[0], i.type,
               negative ? static_cast<double>(value) : static_cast<double>(static_cast<u64>(value)),
               i.rounding, l);
  });
}

double to_whole(double x, Rounding rounding) {
  return rounding == Rounding::kNearest ? std::nearbyint(x)
         : rounding == Rounding::kDown  ? std::floor(x)
         : rounding == Rounding::kUp    ? std::ceil(x)
                                        : std::trunc(x);
}

// Beyond the range: its end; a NaN: zero.
void real_to_whole(const Instruction& i, Warp& w, u32 mask) {
  const u64 lowest = limits(i.type, false), highest = limits(i.type, true);
  const double low = is_signed(i.type) ? static_cast<double>(static_cast<i64>(lowest)) : 0;
  const double high = static_cast<double>(highest);
  lanes(mask, [&](int l) {
    const double x = to_whole(real_at(w, i.at[1], i.second, l), i.rounding);
    u64 result = 0;
    if (x >= high)
      result = highest;
    else if (x <= low)
      result = lowest;
    else if (!std::isnan(x))
      result = x < 0 ? static_cast<u64>(static_cast<i64>(x)) : static_cast<u64>(x);
    put_whole(w, i.at[0], i.width[0], result, l);
  });
}

// choice 1: to a whole number as a float, cvt.rni.f32.f32.
void real_to_real(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    double x = real_at(w, i.at[1], i.second, l);
    if (i.choice == 1) x = to_whole(x, i.rounding);
    x = in_range(x, i.saturate, i.inverted);
    put_real(w, i.at[0], i.type, x, i.choice == 1 ? Rounding::kNearest : i.rounding, l);
  });
}

void brain_to_single(const Instruction& i, Warp& w, u32 mask) {
  const u16* a = w.at<u16>(i.at[1]);
  u32* to = w.at<u32>(i.at[0]);
  lanes(mask, [=](int l) { to[l] = u32{a[l]} << 16; });
}

u16 nearest_brain(float x) {
  const u32 bits = std::bit_cast<u32>(x);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void single_to_brain(const Instruction& i, Warp& w, u32 mask) {
  const float* a = w.at<float>(i.at[1]);
  u16* to = w.at<u16>(i.at[0]);
  lanes(mask, [=](int l) { to[l] = nearest_brain(a[l]); });
}

// cvt.rn.bf16x2.f32 d, a, b: a is the upper half.
void pair_step(const Instruction& i, Warp& w, u32 mask) {
  const bool brain = i.type == Type::kBf16x2;
  const bool plain = brain && i.rounding == Rounding::kNearest && !i.inverted;
  lanes(mask, [&](int l) {
    u16 halves[2];
    for (int k = 0; k < 2; ++k) {
      const float x = w.at<float>(i.at[2 - k])[l];
      const double y = in_range(x, false, i.inverted);
      halves[k] = plain   ? nearest_brain(x)
                  : brain ? bf16_of(y, i.rounding)
                          : half_of(y, i.rounding);
    }
    w.at<u32>(i.at[0])[l] = halves[0] | u32{halves[1]} << 16;
  });
}

bool real(Type type) { return is_float(type); }

void build_pair(Decoder& d) {
  d.expect(3, 3);
  d.out(0, d.types[0]);
  d.in(1, Type::kF32);
  d.in(2, Type::kF32);
  if (d.types[1] == Type::kF32 && !d.has("satfinite")) d.i.step = pair_step;
}

Step step_between(const Instruction& i) {
  const bool from = real(i.second), to = real(i.type);
  if (!from && !to) return whole_to_whole;
  if (!from) return whole_to_real;
  if (!to) return real_to_whole;
  const bool plain =
      i.rounding == Rounding::kNearest && !i.saturate && !i.inverted && i.choice == 0;
  if (plain && i.second == Type::kBf16 && i.type == Type::kF32) return brain_to_single;
  if (plain && i.second == Type::kF32 && i.type == Type::kBf16) return single_to_brain;
  return real_to_real;
}

void build(Decoder& d) {
  if (d.types.size() != 2) d.fail("expected two types");
  d.i.type = d.types[0];
  d.i.second = d.types[1];
  set_rounding(d);
  d.i.saturate = d.has("sat");
  d.i.inverted = d.has("relu");
  if (d.has("ftz")) d.fail("subnormals are kept");
  if (bytes_of(d.i.type) == 4 && d.arguments.size() == 3) return build_pair(d);
  d.expect(2, 2);
  const bool integral = !d.among("rni rzi rmi rpi").empty();
  if (!real(d.i.type) && real(d.i.second) && !integral)
    d.fail("expected a rounding to whole numbers");
  d.i.choice = integral && real(d.i.type) ? 1 : 0;
  // Registers may be wider than whole numbers, not than floats; tf32 lies in 32 bits.
  if (real(d.i.type))
    d.out(0, d.i.type == Type::kTf32 ? Type::kB32 : d.i.type);
  else
    d.out_any(d.arguments[0]);
  if (real(d.i.second))
    d.in(1, d.i.second);
  else
    d.in_any(d.arguments[1], d.i.second);
  if (d.i.width[0] < bytes_of(d.i.type) || d.i.width[1] < bytes_of(d.i.second))
    d.fail("expected registers at least as wide as the types");
  d.i.step = step_between(d.i);
}

}  // namespace

const Rows& convert_rows() {
  static const Rows rows = {{"cvt", "rn rz rm rp rna rni rzi rmi rpi sat relu", build}};
  return rows;
}

}  // namespace ptx
