// The number formats of PTX that C++ lacks, and a loop over the lanes of a warp.
#pragma once

#include <bit>
#include <cstdint>

namespace ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr u32 kWholeWarp = 0xffffffffu;

enum class Rounding : u8 { kNearest, kZero, kDown, kUp, kAway };

// A binary format by the bits of its fraction and the exponent of its smallest normal number.
struct Format {
  int fraction, smallest, largest;  // the largest exponent
};
constexpr Format kHalf = {10, -14, 15}, kBrain = {7, -126, 127}, kTensor = {10, -126, 127},
                 kSingle = {23, -126, 127};

// Rounds x to a format. The only place that rounds results which the processor does not round
// itself.
double rounded(double x, const Format& format, Rounding rounding);

u16 bf16_of(double x, Rounding rounding = Rounding::kNearest);
u16 half_of(double x, Rounding rounding = Rounding::kNearest);
double of_half(u16 bits);
inline float of_bf16(u16 bits) { return std::bit_cast<float>(u32{bits} << 16); }

// f(lane) for every lane of a mask; the whole warp is the loop that compilers vectorize.
template <class F>
inline void lanes(u32 mask, F f) {
  if (mask == kWholeWarp) {
    for (int lane = 0; lane < 32; ++lane) f(lane);
  } else {
    for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
  }
}

}  // namespace ptx
