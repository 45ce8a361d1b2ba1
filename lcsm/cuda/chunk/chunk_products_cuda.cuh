// Products of a warp on tensor cores: 16 rows by pairs of 8 columns, from matrices in shared
// memory or from sums in registers. Bfloat16 numbers are multiplied as they are; float32 numbers as
// sums of two tf32 numbers, without the product of the small parts.
#pragma once

#include "lcsm/cuda/chunk/chunk_cuda.h"
#include "lcsm/cuda/scan/scan_tile_cuda.cuh"

namespace lcsm {

// 16 x 16 numbers of a sum, two tiles of 8 columns: this lane has rows lane / 4 (x[][0], x[][1])
// and 8 below (x[][2], x[][3]), at columns lane % 4 * 2 and the next of each tile.
using Sum = float[2][4];

// A matrix in shared memory with rows of `width` numbers, whose rows and columns are both read
// without bank conflicts.
template <class T, int width>
struct Matrix;

template <int width>
struct Matrix<Bfloat16, width> {
  using Number = Bfloat16;
  static constexpr int kStride = width + 8;
  Bfloat16* data;
  __device__ Bfloat16* at(int row, int column) const { return data + row * kStride + column; }
};
template <int width>
struct Matrix<float, width> {
  using Number = float;
  static constexpr int kStride = width;
  float* data;
  // 8 rows at 4 neighbouring pairs of columns, or 4 rows two apart at 8 columns: 8 of the lanes,
  // then others, begin in each eighth of the banks.
  __device__ static int offset(int row, int column) {
    const int half = (row ^ row >> 2) & 1, swizzle = (row & 2) << 2 | (row & 4);
    if (width < 32) return ((row & ~1) + half) * kStride + (column ^ swizzle);
    return row * kStride + (column ^ (half << 4 | swizzle));
  }
  __device__ float* at(int row, int column) const { return data + offset(row, column); }
};

template <class T, int rows, int width>
__device__ Matrix<T, width> take(char*& free) {
  const Matrix<T, width> matrix{reinterpret_cast<T*>(free)};
  free += sizeof(T) * rows * matrix.kStride;
  return matrix;
}

// A left operand, 16 rows by 16, and a right one, 16 by two tiles of 8 columns.
template <class T>
struct Left;
template <class T>
struct Right;

template <>
struct Left<Bfloat16> {
  unsigned x[4];
};
template <>
struct Right<Bfloat16> {
  unsigned x[4];
};

// Volatile, so that addresses that depend on the lane are computed where they are needed and not
// kept in registers, which would spill.
__device__ inline int lane_of() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Loads four tiles from an address of shared memory.
template <bool transposed>
__device__ void load_tiles(unsigned (&x)[4], unsigned address) {
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(address)
                 : "memory");
}
template <bool transposed>
__device__ void load_tiles(unsigned (&x)[4], const Bfloat16* row) {
  load_tiles<transposed>(x, static_cast<unsigned>(__cvta_generic_to_shared(row)));
}
__device__ inline unsigned pack(float x, float y) {
  unsigned both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(y), "f"(x));
  return both;
}

// Rows from `row` and depth from `k` on of a matrix laid out by M; kDown: the matrix is stored as
// [k][row], else [row][k].
template <bool kDown, template <class, int> class M, int width>
__device__ Left<Bfloat16> left_of(const M<Bfloat16, width>& m, int row, int k) {
  const int lane = lane_of(), inner = lane % 8, low = lane / 8 % 2 * 8, high = lane / 16 * 8;
  Left<Bfloat16> a;
  if (kDown)
    load_tiles<true>(a.x, m.at(k + inner + high, row + low));
  else
    load_tiles<false>(a.x, m.at(row + inner + low, k + high));
  return a;
}
// kDown: [k][column], else [column][k].
template <bool kDown, template <class, int> class M, int width>
__device__ Right<Bfloat16> right_of(const M<Bfloat16, width>& m, int column, int k) {
  const int lane = lane_of(), inner = lane % 8, low = lane / 8 % 2 * 8, high = lane / 16 * 8;
  Right<Bfloat16> b;
  if (kDown)
    load_tiles<true>(b.x, m.at(k + inner + low, column + high));
  else
    load_tiles<false>(b.x, m.at(column + inner + high, k + low));
  return b;
}
// A sum as the left operand of another product.
__device__ inline void left_of(const Sum& sum, Left<Bfloat16>* a) {
  a->x[0] = pack(sum[0][0], sum[0][1]), a->x[1] = pack(sum[0][2], sum[0][3]);
  a->x[2] = pack(sum[1][0], sum[1][1]), a->x[3] = pack(sum[1][2], sum[1][3]);
}
__device__ inline void multiply(Sum& sum, const Left<Bfloat16>& a, const Right<Bfloat16>& b) {
#pragma unroll
  for (int n = 0; n < 2; ++n)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[n][0]), "+f"(sum[n][1]), "+f"(sum[n][2]), "+f"(sum[n][3])
        : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[2 * n]), "r"(b.x[2 * n + 1]));
}

// Two numbers of tf32 for one of float32.
struct Parts {
  unsigned high, low;
};
__device__ inline Parts parts_of(float x) {
  Parts parts;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(parts.high) : "f"(x));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(parts.low) : "f"(x - __uint_as_float(parts.high)));
  return parts;
}

// Two steps of depth 8. Where the layout of mma has depth lane % 4 and 4 more, these take 2 (lane %
// 4) and the next, on both sides: neighbours in a row, and columns of a sum.
template <>
struct Left<float> {
  Parts x[2][4];
};
template <>
struct Right<float> {
  float x[2][2][2];  // step, tile of columns, depth
};

template <bool kDown, template <class, int> class M, int width>
__device__ Left<float> left_of(const M<float, width>& m, int row, int k) {
  const int lane = lane_of(), r = row + lane / 4, c = k + lane % 4 * 2;
  Left<float> a;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int step = n / 2, below = n % 2;
    float2 two;
    if (kDown)
      two = {*m.at(c + 8 * step, r + 8 * below), *m.at(c + 8 * step + 1, r + 8 * below)};
    else
      two = *reinterpret_cast<const float2*>(m.at(r + 8 * below, c + 8 * step));
    a.x[step][below] = parts_of(two.x);
    a.x[step][2 + below] = parts_of(two.y);
  }
  return a;
}
template <bool kDown, template <class, int> class M, int width>
__device__ Right<float> right_of(const M<float, width>& m, int column, int k) {
  const int lane = lane_of(), r = column + lane / 4, c = k + lane % 4 * 2;
  Right<float> b;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int step = n / 2, tile = n % 2;
    float2 two;
    if (kDown)
      two = {*m.at(c + 8 * step, r + 8 * tile), *m.at(c + 8 * step + 1, r + 8 * tile)};
    else
      two = *reinterpret_cast<const float2*>(m.at(r + 8 * tile, c + 8 * step));
    b.x[step][tile][0] = two.x, b.x[step][tile][1] = two.y;
  }
  return b;
}
__device__ inline void left_of(const Sum& sum, Left<float>* a) {
#pragma unroll
  for (int n = 0; n < 8; ++n) a->x[n / 4][n % 4] = parts_of(sum[n / 4][n % 2 * 2 + n % 4 / 2]);
}
__device__ inline void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                                unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
__device__ inline void multiply(Sum& sum, const Left<float>& a, const Right<float>& b) {
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const Parts(&l)[4] = a.x[n / 2];
    const Parts r0 = parts_of(b.x[n / 2][n % 2][0]), r1 = parts_of(b.x[n / 2][n % 2][1]);
    float(&to)[4] = sum[n % 2];
    multiply(to, l[0].low, l[1].low, l[2].low, l[3].low, r0.high, r1.high);
    multiply(to, l[0].high, l[1].high, l[2].high, l[3].high, r0.low, r1.low);
    multiply(to, l[0].high, l[1].high, l[2].high, l[3].high, r0.high, r1.high);
  }
}

// sums (16 rows from `row` on, kPairs of 16 columns from `column` on) += a b over `depth`.
template <bool kDownA, bool kDownB, int depth, int kPairs, class A, class B>
__device__ void add_product(Sum (&sums)[kPairs], const A& a, int row, const B& b, int column) {
#pragma unroll 1
  for (int k = 0; k < depth; k += 16) {
    const auto left = left_of<kDownA>(a, row, k);
#pragma unroll
    for (int p = 0; p < kPairs; ++p)
      multiply(sums[p], left, right_of<kDownB>(b, column + 16 * p, k));
  }
}

// The half of a square of steps in which the column is not later than the row, or not earlier.
enum class Half { kUntil, kFrom };
template <Half half>
__device__ bool inside(int row, int column) {
  return half == Half::kUntil ? column <= row : column >= row;
}

// a b^T of rows of a chunk, 0 outside the half: what is left out may have overflowed.
template <Half half, int depth, class A, class B>
__device__ void add_scores(Sum (&sums)[kChunkWarps], const A& a, int tile, const B& b) {
#pragma unroll 1
  for (int k = 0; k < depth; k += 16) {
    const auto left = left_of<false>(a, 16 * tile, k);
#pragma unroll
    for (int p = 0; p < kChunkWarps; ++p)
      if (inside<half>(tile, p)) multiply(sums[p], left, right_of<false>(b, 16 * p, k));
  }
  const int row = 16 * tile + lane_of() / 4, column = lane_of() % 4 * 2;
#pragma unroll
  for (int p = 0; p < kChunkWarps; ++p)
#pragma unroll
    for (int n = 0; n < 8; ++n)
      if (!inside<half>(row + n % 4 / 2 * 8, 16 * p + n / 4 * 8 + column + n % 2))
        sums[p][n / 4][n % 4] = 0;
}
// sums += scores b, of columns from `column` on.
template <Half half, int kPairs, class B>
__device__ void add_scored(Sum (&sums)[kPairs], const Sum (&scores)[kChunkWarps], int tile,
                           const B& b, int column) {
#pragma unroll
  for (int q = 0; q < kChunkWarps; ++q) {
    if (!inside<half>(tile, q)) continue;
    Left<typename B::Number> left;
    left_of(scores[q], &left);
#pragma unroll
    for (int p = 0; p < kPairs; ++p)
      multiply(sums[p], left, right_of<true>(b, column + 16 * p, 16 * q));
  }
}

}  // namespace lcsm
