// Operands of a channel's products, for both types. In all of them a lane has 8 consecutive steps
// of a chunk, those from 8 (lane % 4) on. So products have the steps in this order of places:
//
//   place   0 1 2 3 4  5  6  7 | 8 9 ...     | 16 ...    | 24 ...           31
//   step    0 1 8 9 16 17 24 25 | 2 3 10 11 ... | 4 5 12 ... | 6 7 14 15 22 23 30 31
#pragma once

#include "lcsm/cuda/modes/products_pair_cuda.cuh"

namespace lcsm {

// Powers of q. Rows are the numbers of the pairs, 16 for a group; columns are places of exponents.
// They are right operands, with places as depth (gather) or as columns (read). From operand to
// operand a lane's address differs only by a number of rows and by flipped bits.
template <class T>
struct Powers;
template <>
struct Powers<Bfloat16> {
  Bfloat16* data;
  unsigned as_depth, as_columns;
  __device__ static unsigned place_of(unsigned row, unsigned place) {
    return row * kProductsSteps + (place ^ (row << 2 & 24));
  }
  __device__ explicit Powers(float* space) : data(reinterpret_cast<Bfloat16*>(space)) {
    const unsigned lane = threadIdx.x % 32, inner = lane % 8, low = lane / 8 % 2 * 8,
                   high = lane / 16 * 8;
    const auto start = static_cast<unsigned>(__cvta_generic_to_shared(data));
    as_depth = start + 2 * place_of(inner + high, low);
    as_columns = start + 2 * place_of(inner + low, high);
  }
  __device__ Bfloat16* at(int row, int place) const { return data + place_of(row, place); }
  // A group's operand, of the 16 places from 16 k, or 16 p, on.
  __device__ Right<Bfloat16> depth(int group, int k) const {
    Right<Bfloat16> b;
    load_tiles<false>(b.x, (as_depth ^ 32 * k) + 1024 * group);
    return b;
  }
  __device__ Right<Bfloat16> columns(int group, int p) const {
    Right<Bfloat16> b;
    load_tiles<true>(b.x, (as_columns ^ 32 * p) + 1024 * group);
    return b;
  }
};
template <>
struct Powers<float> {
  float* data;
  unsigned as_depth, as_columns[2];
  __device__ static unsigned place_of(unsigned row, unsigned place) {
    return row * kProductsSteps +
           (place ^ (((row ^ row >> 2) & 1) << 4 | (row & 2) << 2 | (row & 4)));
  }
  __device__ explicit Powers(float* space) : data(space) {
    const unsigned lane = threadIdx.x % 32, row = lane / 4, pair = lane % 4 * 2;
    as_depth = place_of(row, pair);
    as_columns[0] = place_of(pair, row);
    as_columns[1] = place_of(pair + 1, row);
  }
  __device__ float* at(int row, int place) const { return data + place_of(row, place); }
  __device__ Right<float> depth(int group, int k) const {
    Right<float> b;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int step = n / 2, tile = n % 2;
      const float2 two = *reinterpret_cast<const float2*>(data + (as_depth ^ (16 * k + 8 * step)) +
                                                          (16 * group + 8 * tile) * kProductsSteps);
      b.x[step][tile][0] = two.x, b.x[step][tile][1] = two.y;
    }
    return b;
  }
  __device__ Right<float> columns(int group, int p) const {
    Right<float> b;
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const int step = n / 4, tile = n / 2 % 2, i = n % 2;
      b.x[step][tile][i] =
          data[(as_columns[i] ^ (16 * p + 8 * tile)) + (16 * group + 8 * step) * kProductsSteps];
    }
    return b;
  }
};
// To shared memory.
__device__ inline void put_16(void* to, unsigned a, unsigned b, unsigned c, unsigned d) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "r"(a), "r"(b), "r"(c), "r"(d)
               : "memory");
}
__device__ inline void put_16(void* to, float a, float b, float c, float d) {
  put_16(to, __float_as_uint(a), __float_as_uint(b), __float_as_uint(c), __float_as_uint(d));
}
// Stores 8 places of a row.
__device__ inline void put_places(const Powers<Bfloat16>& to, int row, int place,
                                  const float (&x)[8]) {
  put_16(to.at(row, place), pack(x[0], x[1]), pack(x[2], x[3]), pack(x[4], x[5]), pack(x[6], x[7]));
}
__device__ inline void put_places(const Powers<float>& to, int row, int place,
                                  const float (&x)[8]) {
  put_16(to.at(row, place), x[0], x[1], x[2], x[3]);
  put_16(to.at(row, place + 4), x[4], x[5], x[6], x[7]);
}

// The chunks of a tile: even ones, then odd ones, steps in their order.
template <class T, int width>
struct Chunks {
  static constexpr unsigned kUnit = 16 / sizeof(T);
  T* data;
  __device__ T* at(unsigned row, unsigned step) const {
    const unsigned turn = sizeof(T) == 4 ? row : row / 2;
    return data + (row * width + (step ^ turn * kUnit % width));
  }
  __device__ T* step(unsigned step) const {
    const unsigned chunk = step / width;
    return at(chunk / 2 + chunk % 2 * (kProductsChunks / 2), step % width);
  }
};

// A lane's part of two chunks: 8 steps of each.
template <class T>
struct Strip;
template <>
struct Strip<Bfloat16> {
  unsigned x[2][4];
};
template <>
struct Strip<float> {
  float x[2][8];
};

__device__ inline unsigned turned(unsigned two) { return two << 16 | two >> 16; }
__device__ inline float low_half(unsigned two) { return __uint_as_float(two << 16); }
__device__ inline float high_half(unsigned two) { return __uint_as_float(two & 0xffff0000u); }

// kBack: the steps of each chunk are reversed.
template <bool kBack>
__device__ Strip<Bfloat16> strip_of(const Chunks<Bfloat16, kProductsSteps>& from) {
  const int lane = lane_of(), quarter = kBack ? 3 - lane % 4 : lane % 4;
  Strip<Bfloat16> strip;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const uint4 all = *reinterpret_cast<const uint4*>(from.at(lane / 4 + 8 * h, 8 * quarter));
    const unsigned x[4] = {all.x, all.y, all.z, all.w};
#pragma unroll
    for (int n = 0; n < 4; ++n) strip.x[h][n] = kBack ? turned(x[3 - n]) : x[n];
  }
  return strip;
}
template <bool kBack>
__device__ Strip<float> strip_of(const Chunks<float, kProductsSteps>& from) {
  const int lane = lane_of(), quarter = kBack ? 3 - lane % 4 : lane % 4;
  Strip<float> strip;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const float4 all =
        *reinterpret_cast<const float4*>(from.at(lane / 4 + n / 2 * 8, 8 * quarter + n % 2 * 4));
    const float x[4] = {all.x, all.y, all.z, all.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) strip.x[n / 2][kBack ? 7 - (n % 2 * 4 + i) : n % 2 * 4 + i] = x[i];
  }
  return strip;
}

// Step e of the result is e + 1 times step e + 1, and the last one is 0. So sums with e q^(e-1)
// become sums with q^e.
__device__ inline float next_step(float first) {
  const float next = __shfl_down_sync(~0u, first, 1);
  return lane_of() % 4 == 3 ? 0.0f : next;
}
__device__ inline Strip<float> slopes_of(const Strip<float>& from) {
  const float last = static_cast<float>(lane_of() % 4 * 8);
  Strip<float> to;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int i = 0; i < 7; ++i) to.x[h][i] = (last + static_cast<float>(i + 1)) * from.x[h][i + 1];
    to.x[h][7] = (last + 8) * next_step(from.x[h][0]);
  }
  return to;
}
__device__ inline Strip<Bfloat16> slopes_of(const Strip<Bfloat16>& from) {
  const float last = static_cast<float>(lane_of() % 4 * 8);
  Strip<Bfloat16> to;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float next = next_step(low_half(from.x[h][0]));
#pragma unroll
    for (int n = 0; n < 4; ++n)
      to.x[h][n] = pack((last + static_cast<float>(2 * n + 1)) * high_half(from.x[h][n]),
                        (last + static_cast<float>(2 * n + 2)) *
                            (n < 3 ? low_half(from.x[h][n < 3 ? n + 1 : 0]) : next));
  }
  return to;
}

// The depth of 16 places from 16 k on.
__device__ inline Left<Bfloat16> left_of(const Strip<Bfloat16>& strip, int k) {
  return {{strip.x[0][2 * k], strip.x[1][2 * k], strip.x[0][2 * k + 1], strip.x[1][2 * k + 1]}};
}
__device__ inline Left<float> left_of(const Strip<float>& strip, int k) {
  Left<float> a;
#pragma unroll
  for (int n = 0; n < 8; ++n)
    a.x[n / 4][n % 4] = parts_of(strip.x[n % 2][4 * k + n / 4 * 2 + n % 4 / 2]);
  return a;
}

// Sums over places, for a lane's two chunks; put_strip stores them as steps.
using Places = Sum[2];
template <bool kBack>
__device__ void put_strip(const Chunks<Bfloat16, kProductsSteps>& to, const Places& y) {
  const int lane = lane_of(), quarter = kBack ? 3 - lane % 4 : lane % 4;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    unsigned x[4];
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const float(&two)[4] = y[n / 2][n % 2];
      x[kBack ? 3 - n : n] =
          kBack ? pack(two[2 * h + 1], two[2 * h]) : pack(two[2 * h], two[2 * h + 1]);
    }
    put_16(to.at(lane / 4 + 8 * h, 8 * quarter), x[0], x[1], x[2], x[3]);
  }
}
template <bool kBack>
__device__ void put_strip(const Chunks<float, kProductsSteps>& to, const Places& y) {
  const int lane = lane_of(), quarter = kBack ? 3 - lane % 4 : lane % 4;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    float x[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int step = kBack ? 7 - (n % 2 * 4 + i) : n % 2 * 4 + i;
      x[i] = y[step / 4][step / 2 % 2][n / 2 * 2 + step % 2];
    }
    put_16(to.at(lane / 4 + n / 2 * 8, 8 * quarter + n % 2 * 4), x[0], x[1], x[2], x[3]);
  }
}

// Taps of a chunk as a right operand. The place e counted from a chunk's last step and the place t
// counted from its first meet in tap e + t - 31. Tap n - 31 is number n of 64. In bfloat16 these
// are pairs of neighbours, first those that begin with even numbers, then those that begin with odd
// ones, in other banks.
template <class T>
struct Taps;
template <>
struct Taps<Bfloat16> {
  unsigned x[8];
  __device__ explicit Taps(const float* from) {
    const int lane = lane_of();
    const int odd = lane / 4 % 2, at = 4 * (lane / 8 + lane % 4);
    const uint4* const all = reinterpret_cast<const uint4*>(from);
    const uint4 a = all[word(at, odd) / 4], b = all[word(at + 4, odd) / 4];
    x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w;
    x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
  }
  // The word of numbers 2 n + odd and 2 n + odd + 1.
  __device__ static int word(int n, int odd) { return odd == 1 ? 32 + (n ^ 16) : n; }
  __device__ Right<Bfloat16> right(int k, int p) const {
    const int n = 2 * (k + p);
    return {{x[n], x[n + 1], x[n + 1], x[n + 2]}};
  }
};
template <>
struct Taps<float> {
  float x[14];
  __device__ explicit Taps(const float* from) {
    const int lane = lane_of();
    const float4* const all = reinterpret_cast<const float4*>(from) + 2 * (lane / 8 + lane % 4);
    float y[16];
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const float4 four = all[n];
      y[4 * n] = four.x, y[4 * n + 1] = four.y, y[4 * n + 2] = four.z, y[4 * n + 3] = four.w;
    }
#pragma unroll
    for (int n = 0; n < 14; ++n) x[n] = lane / 4 % 2 == 0 ? y[n] : y[n + 1];
  }
  __device__ Right<float> right(int k, int p) const {
    Right<float> b;
#pragma unroll
    for (int n = 0; n < 8; ++n)
      b.x[n / 4][n / 2 % 2][n % 2] = x[4 * k + n / 4 * 2 + 4 * p + n / 2 % 2 * 2 + n % 2];
    return b;
  }
};

}  // namespace lcsm
