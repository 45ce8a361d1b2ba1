// Sums in registers to and from rows in memory, several columns at a time; sums over a chunk.
#pragma once

#include "lcsm/cuda/chunk/chunk_products_cuda.cuh"

namespace lcsm {

// Sums as numbers of the launch's type: 16 columns from `column` on of a row of `width` numbers,
// the next of which is `stride` further. `below` chooses the rows of a sum. A lane stores 8 bytes,
// so 4 lanes fill whole sectors.
__device__ inline void put_columns(float* row, int column, int width, int stride, const Sum& x,
                                   int below) {
  if (row == nullptr) return;
  const int c = column + lane_of() % 4 * 2;
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    const float2 two = {x[n][2 * below], x[n][2 * below + 1]};
    if (stride % 2 == 0 && c + 8 * n < width) {
      // In assembly, or the compiler merges it with the branch below, number by number.
      asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(row + c + 8 * n), "f"(two.x), "f"(two.y)
                   : "memory");
    } else {
      if (c + 8 * n < width) row[c + 8 * n] = two.x;
      if (c + 8 * n + 1 < width) row[c + 8 * n + 1] = two.y;
    }
  }
}
__device__ inline unsigned add_two(unsigned a, unsigned b) {
  return pack(__uint_as_float(a << 16) + __uint_as_float(b << 16),
              __uint_as_float(a & 0xffff0000u) + __uint_as_float(b & 0xffff0000u));
}
// adds: to what is there.
__device__ inline void put_columns(Bfloat16* row, int column, int width, int stride, const Sum& x,
                                   int below, bool adds = false) {
  const int member = lane_of() % 4;
  unsigned two[2];
#pragma unroll
  for (int n = 0; n < 2; ++n) two[n] = pack(x[n][2 * below], x[n][2 * below + 1]);
  if (stride % 4 ==
      0) {  // the four lanes of a row: two of each tile's columns for four of one tile
    const unsigned across = __shfl_xor_sync(~0u, member < 2 ? two[1] : two[0], 2);
    const unsigned low = member < 2 ? two[0] : across, high = member < 2 ? across : two[1];
    const unsigned next = __shfl_xor_sync(~0u, member % 2 == 0 ? high : low, 1);
    const int c = column + 4 * member;
    uint2 four = member % 2 == 0 ? uint2{low, next} : uint2{next, high};
    if (row != nullptr && c < width) {
      uint2* const to = reinterpret_cast<uint2*>(row + c);
      if (adds) four = {add_two(four.x, to->x), add_two(four.y, to->y)};
      *to = four;
    }
    return;
  }
  if (row == nullptr) return;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int c = column + n / 2 * 8 + member * 2 + n % 2;
    if (c >= width) continue;
    Bfloat16 one = {static_cast<unsigned short>(two[n / 2] >> 16 * (n % 2))};
    if (adds) put(&one, number_of(one) + number_of(row[c]));
    row[c] = one;
  }
}

// Two neighbours, the first at an even column.
__device__ inline float2 two_of(const float* from) {
  return *reinterpret_cast<const float2*>(from);
}
__device__ inline float2 two_of(const Bfloat16* from) {
  return two_of(*reinterpret_cast<const unsigned*>(from));
}
__device__ inline void put_two(float* to, float2 x) { *reinterpret_cast<float2*>(to) = x; }
__device__ inline void put_two(Bfloat16* to, float2 x) {
  *reinterpret_cast<unsigned*>(to) = pack(x.x, x.y);
}

// A sum in two parts, the rounding error of the first and it.
__device__ inline float2 add_parts(float2 a, float2 b) {
  const float sum = a.x + b.x, added = sum - a.x;
  return {sum, (a.x - (sum - added)) + (b.x - added) + a.y + b.y};
}
// The running sums of kChunkRows numbers. One warp calls it.
template <class From, class To>
__device__ void running_sums(const From& from, const To& to) {
  static_assert(kChunkRows == 64);
  const int lane = lane_of();
  const float2 first = {from(2 * lane), 0};
  float2 sum = add_parts(first, {from(2 * lane + 1), 0});
#pragma unroll
  for (int bit = 1; bit < 32; bit *= 2) {
    const float2 before = {__shfl_up_sync(~0u, sum.x, bit), __shfl_up_sync(~0u, sum.y, bit)};
    if (lane >= bit) sum = add_parts(before, sum);
  }
  const float2 before = {__shfl_up_sync(~0u, sum.x, 1), __shfl_up_sync(~0u, sum.y, 1)};
  to(2 * lane, lane == 0 ? first : add_parts(before, first));
  to(2 * lane + 1, sum);
}

}  // namespace lcsm
