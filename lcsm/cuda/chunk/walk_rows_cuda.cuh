// Rows of bfloat16 in shared memory, and products of a warp on tensor cores with them. Addresses
// are a lane's offset, computed once, and a constant.
#pragma once

#include "lcsm/cuda/chunk/chunk_columns_cuda.cuh"

namespace lcsm {

// A matrix in shared memory with rows of W numbers, in units of 16 bytes that are swizzled: 8 rows
// of one unit, and 8 units of one row, are in banks of their own. `at` is its address there.
template <int W>
struct Rows {
  static constexpr int kUnits = W / 8, kBytes = 2 * W;  // of a row
  unsigned at;
  __device__ static unsigned swizzle(int row) { return W < 64 ? row >> 1 & 3 : row & 7; }
  // The address of a unit of 16 bytes.
  __device__ unsigned unit(int row, int n) const {
    return at + row * kBytes + ((n ^ swizzle(row)) << 4);
  }
};

// Volatile for the reason of lane_of.
__device__ inline int thread_of() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}
__device__ inline unsigned shared_of(const void* x) {
  return static_cast<unsigned>(__cvta_generic_to_shared(x));
}
__device__ inline unsigned get_word(unsigned at) {
  unsigned x;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x) : "r"(at) : "memory");
  return x;
}
__device__ inline void put_word(unsigned at, unsigned x) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(x) : "memory");
}
__device__ inline uint4 get_unit(unsigned at) {
  uint4 x;
  asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];"
               : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
               : "r"(at)
               : "memory");
  return x;
}
__device__ inline void put_unit(unsigned at, uint4 x) {
  asm volatile("st.shared.v4.b32 [%0], {%1,%2,%3,%4};" ::"r"(at), "r"(x.x), "r"(x.y), "r"(x.z),
               "r"(x.w)
               : "memory");
}
// In assembly, or the compiler may emit four stores.
__device__ inline void store_unit(Bfloat16* to, uint4 x) {
  asm volatile("st.global.v4.b32 [%0], {%1,%2,%3,%4};" ::"l"(to), "r"(x.x), "r"(x.y), "r"(x.z),
               "r"(x.w)
               : "memory");
}
// Where a lane reads in 16 x 16 numbers. ldmatrix takes four tiles of 8 x 8 numbers: with
// `straight` their order is down first, with `crossed` across first.
struct Lane {
  int id;
  template <int W>
  __device__ unsigned straight() const {
    const int row = id & 15;
    return row * Rows<W>::kBytes + ((static_cast<unsigned>(id >> 4) ^ Rows<W>::swizzle(row)) << 4);
  }
  template <int W>
  __device__ unsigned crossed() const {
    const int row = (id & 7) + (id >> 4 << 3);
    return row * Rows<W>::kBytes +
           ((static_cast<unsigned>(id >> 3 & 1) ^ Rows<W>::swizzle(row)) << 4);
  }
  // The offset of a lane's first two numbers of a band's sum. Those 8 n columns later are at this
  // ^ n << 4; those 8 rows below, 8 rows further.
  template <int W>
  __device__ unsigned pair(int band) const {
    return (16 * band + row()) * Rows<W>::kBytes + (Rows<W>::swizzle(row()) << 4) + column() * 2;
  }
  // The first row and column of a sum's numbers.
  __device__ int row() const { return id >> 2; }
  __device__ int column() const { return (id & 3) * 2; }
};

// A place in a sum of a band of rows, two neighbours: where it is in rows of W numbers.
struct Place {
  int row, column;
  unsigned offset;
  bool below;  // the lower one of the lane's two rows; known when the kernel is compiled
};
template <int W>
__device__ float2 get_two(const Rows<W>& m, const Place& place) {
  return two_of(get_word(m.at + place.offset));
}
template <int W>
__device__ float2 get_two(const Rows<W>& m, int row, int column) {
  return two_of(get_word(m.unit(row, column / 8) + column % 8 * 2));
}
template <int W>
__device__ void put_two(const Rows<W>& m, const Place& place, float2 x) {
  put_word(m.at + place.offset, pack(x.x, x.y));
}
// Calls work(place, two) for this lane's numbers of sums of a band, of columns from `first` on.
template <int W, int kPairs, class Work>
__device__ void each_two(Sum (&sums)[kPairs], const Lane& lane, int band, int first,
                         const Work& work) {
  const unsigned pair = lane.pair<W>(band);
#pragma unroll
  for (int p = 0; p < kPairs; ++p)
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int column = first + 16 * p + n / 2 * 8, below = n % 2 * 8;
      const Place place{16 * band + lane.row() + below, column + lane.column(),
                        (pair ^ column << 1) + below * Rows<W>::kBytes, below != 0};
      float* const x = &sums[p][n / 2][n % 2 * 2];
      float2 two = {x[0], x[1]};
      work(place, two);
      x[0] = two.x, x[1] = two.y;
    }
}

// Float32 numbers in shared memory, [64, W] as Matrix lays them out.
template <int W>
struct Cells {
  unsigned at;
  // The address of two neighbours.
  __device__ unsigned pair(int row, int column) const {
    return at + 4 * static_cast<unsigned>(Matrix<float, W>{nullptr}.offset(row, column));
  }
};
__device__ inline float2 get_floats(unsigned at) {
  float2 x;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x.x), "=f"(x.y) : "r"(at) : "memory");
  return x;
}
__device__ inline void put_floats(unsigned at, float2 x) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(x.x), "f"(x.y) : "memory");
}
// Calls work(place, two, cell), where cell is the address of these two in `cells`.
template <int W, int kPairs, class Work>
__device__ void each_cell(Sum (&sums)[kPairs], const Lane& lane, int band, int first,
                          const Cells<W>& cells, const Work& work) {
  const int row = 16 * band + lane.row();
  const unsigned pair = cells.pair(row, lane.column());
  each_two<W>(sums, lane, band, first, [&](const Place& place, float2& two) {
    work(place, two, (pair ^ (place.column - lane.column()) * 4) + (place.row - row) * W * 4);
  });
}

// `row` and `column` are multiples of 16. kDown: the matrix is stored as [depth][row] or
// [depth][column], else as [row][depth] or [column][depth].
template <bool kDown, int W>
__device__ void load_left(Left<Bfloat16>& a, const Lane& lane, const Rows<W>& m, int row,
                          int depth) {
  if (kDown)
    load_tiles<true>(a.x, m.at + depth * Rows<W>::kBytes + (lane.crossed<W>() ^ row << 1));
  else
    load_tiles<false>(a.x, m.at + row * Rows<W>::kBytes + (lane.straight<W>() ^ depth << 1));
}
template <bool kDown, int W>
__device__ void load_right(Right<Bfloat16>& b, const Lane& lane, const Rows<W>& m, int column,
                           int depth) {
  if (kDown)
    load_tiles<true>(b.x, m.at + depth * Rows<W>::kBytes + (lane.straight<W>() ^ column << 1));
  else
    load_tiles<false>(b.x, m.at + column * Rows<W>::kBytes + (lane.crossed<W>() ^ depth << 1));
}

// Stores 16 x 16 numbers of a band as load_left<false> loads them.
template <int W>
__device__ void store_left(const Rows<W>& m, const Lane& lane, int band, int column,
                           const Left<Bfloat16>& a) {
  const unsigned pair = m.at + lane.pair<W>(band);
#pragma unroll
  for (int n = 0; n < 4; ++n)
    put_word((pair ^ (column + n / 2 * 8) << 1) + n % 2 * 8 * Rows<W>::kBytes, a.x[n]);
}

// sum = a b, where sum has not been written before.
__device__ inline void multiply_first(Sum& sum, const Left<Bfloat16>& a, const Right<Bfloat16>& b) {
#pragma unroll
  for (int n = 0; n < 2; ++n)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%10,%10,%10};"
        : "=f"(sum[n][0]), "=f"(sum[n][1]), "=f"(sum[n][2]), "=f"(sum[n][3])
        : "r"(a.x[0]), "r"(a.x[1]), "r"(a.x[2]), "r"(a.x[3]), "r"(b.x[2 * n]), "r"(b.x[2 * n + 1]),
          "f"(0.0f));
}
// sums (16 rows from `row` on, kPairs of 16 columns from `column` on) += a b, over `depth`.
template <bool kDownA, bool kDownB, int depth, int kPairs, int A, int B>
__device__ void add_product(Sum (&sums)[kPairs], const Lane& lane, const Rows<A>& a, int row,
                            const Rows<B>& b, int column) {
#pragma unroll 2
  for (int k = 0; k < depth; k += 16) {
    Left<Bfloat16> left;
    load_left<kDownA>(left, lane, a, row, k);
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      Right<Bfloat16> right;
      load_right<kDownB>(right, lane, b, column + 16 * p, k);
      multiply(sums[p], left, right);
    }
  }
}

// Which pairs of steps (t, u) of a chunk, u not later than t, a pass counts: those whose highest
// different bit is in [low, high).
struct Pairs {
  int low, high;
  __device__ bool all() const { return low == 0 && high == kChunkRows; }
  __device__ bool has(int t, int u) const {
    const int apart = t ^ u;
    return (u <= t) & (apart >= low) & (apart < high);
  }
};

// Scores of 16 steps from 16 * band on with all of a chunk, a b^T over `depth` added to `scores`:
// kUntil with earlier ones, a of the later step, kFrom with later ones.
template <Half half, int depth, bool kFirst = false, int A, int B>
__device__ void add_scores(Sum (&scores)[kChunkWarps], const Lane& lane, const Rows<A>& a, int band,
                           const Rows<B>& b) {
#pragma unroll
  for (int k = 0; k < depth; k += 16) {
    Left<Bfloat16> left;
    load_left<false>(left, lane, a, 16 * band, k);
#pragma unroll
    for (int p = 0; p < kChunkWarps; ++p)
      if (inside<half>(band, p)) {
        Right<Bfloat16> right;
        load_right<false>(right, lane, b, 16 * p, k);
        if (kFirst && k == 0)
          multiply_first(scores[p], left, right);
        else
          multiply(scores[p], left, right);
      }
  }
}
// Puts 0 for pairs that are not of a pass; they may have overflowed.
template <Half half>
__device__ void pick(Sum& scores, const Lane& lane, int band, int block, const Pairs& pairs) {
  if (pairs.all()) {
    if (block != band) return;
    constexpr bool kUntil = half == Half::kUntil;
    const int row = lane.row(), column = lane.column();
    const bool first = kUntil ? column <= row : column >= row,
               second = kUntil ? column < row : column + 1 >= row;
    (kUntil ? scores[1][0] : scores[0][2]) = 0, (kUntil ? scores[1][1] : scores[0][3]) = 0;
    if (!first) scores[0][0] = scores[1][2] = 0;
    if (!second) scores[0][1] = scores[1][3] = 0;
    return;
  }
#pragma unroll
  for (int n = 0; n < 8; ++n) {
    const int row = 16 * band + lane.row() + n % 4 / 2 * 8,
              column = 16 * block + lane.column() + n / 4 * 8 + n % 2;
    const bool counts = half == Half::kUntil ? pairs.has(row, column) : pairs.has(column, row);
    if (!counts) scores[n / 4][n % 4] = 0;
  }
}
// Scores as left operands, without the pairs that are not of a pass.
template <Half half, int depth, int A, int B>
__device__ void picked_scores(Left<Bfloat16> (&scored)[kChunkWarps], const Lane& lane,
                              const Rows<A>& a, int band, const Rows<B>& b, const Pairs& pairs) {
  Sum scores[kChunkWarps];
  add_scores<half, depth, true>(scores, lane, a, band, b);
#pragma unroll
  for (int p = 0; p < kChunkWarps; ++p)
    if (inside<half>(band, p)) {
      pick<half>(scores[p], lane, band, p, pairs);
      left_of(scores[p], &scored[p]);
    }
}
// sums += scores b, of columns from `column` on.
template <Half half, int kPairs, int B>
__device__ void add_scored(Sum (&sums)[kPairs], const Lane& lane,
                           const Left<Bfloat16> (&scores)[kChunkWarps], int band, const Rows<B>& b,
                           int column) {
#pragma unroll
  for (int q = 0; q < kChunkWarps; ++q) {
    if (!inside<half>(band, q)) continue;
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      Right<Bfloat16> right;
      load_right<true>(right, lane, b, column + 16 * p, 16 * q);
      multiply(sums[p], scores[q], right);
    }
  }
}

// Brings `count` rows of `most` columns, and zeros around them, into `rows` rows; the thread waits
// for them by arrived().
template <int W, int kThreads, int rows = kChunkRows>
__device__ void fetch(const Rows<W>& to, const Bfloat16* from, long long stride, int most,
                      int count) {
  constexpr int kUnits = Rows<W>::kUnits, kStep = kThreads / kUnits;  // a multiple of 8
  static_assert(rows % kStep == 0);
  const int thread = thread_of(), n = thread % kUnits, first = thread / kUnits;
  if (stride % 8 == 0 && reinterpret_cast<unsigned long long>(from) % 16 == 0 && most % 8 == 0) {
    const bool inside = n * 8 < most;
#pragma unroll 1
    for (int row = first; row < rows; row += kStep) {
      const bool valid = inside & (row < count);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to.unit(row, n)),
                   "l"(valid ? from + row * stride + n * 8 : from), "r"(valid ? 16 : 0)
                   : "memory");
    }
  } else {
    for (int row = first; row < rows; row += kStep) {
      unsigned x[4] = {};
      for (int c = 0; c < 8; ++c)
        if (row < count && n * 8 + c < most)
          x[c / 2] |= static_cast<unsigned>(from[row * stride + n * 8 + c].bits) << 16 * (c % 2);
      put_unit(to.unit(row, n), {x[0], x[1], x[2], x[3]});
    }
  }
}
// Does the same where all rows and columns are there, those from `row` and `column` on of a tensor
// of fewer than 2^31 numbers whose rows begin at multiples of 16 bytes.
template <int W, int kThreads, int rows = kChunkRows>
__device__ void fetch_whole(const Rows<W>& to, const void* tensor, int stride, int row, int column,
                            int thread = static_cast<int>(threadIdx.x)) {
  constexpr int kUnits = Rows<W>::kUnits, kStep = kThreads / kUnits;
  const int n = thread % kUnits, first = thread / kUnits;
  const unsigned at = to.unit(first, n);
  int from = (row + first) * stride + column + n * 8;
#pragma unroll
  for (int r = 0; r < rows; r += kStep, from += kStep * stride)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + r * Rows<W>::kBytes),
                 "l"(static_cast<const Bfloat16*>(tensor) + from)
                 : "memory");
}
__device__ inline void arrived() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// Rows of a band in shared memory, 16 from 16 * band on, and of W numbers kWidth from `first` on,
// into memory: `rows` of them, `stride` apart, at addresses that are multiples of 16. One warp
// calls it, after __syncwarp().
template <int W, int kWidth = (W < 64 ? W : 64)>
__device__ void store_band(const Rows<W>& from, const Lane& lane, int band, Bfloat16* to,
                           long long stride, int rows, int first = 0) {
  constexpr int kUnits = kWidth / 8, kStep = 32 / kUnits;
  const int own = lane.id / kUnits, n = first / 8 + lane.id % kUnits;
  const unsigned unit = from.unit(16 * band + own, n);
  Bfloat16* at = to + static_cast<long long>(own) * static_cast<int>(stride) + n * 8;
#pragma unroll
  for (int row = 0; row < 16; row += kStep, at += kStep * static_cast<int>(stride))
    if (row + own < rows)
      store_unit(at, get_unit((unit ^ Rows<W>::swizzle(row) << 4) + row * Rows<W>::kBytes));
}

// Does the same with `width` numbers of each row. Rows may begin at any address.
template <int W>
__device__ void store_some(const Rows<W>& from, const Lane& lane, int band, Bfloat16* to,
                           long long stride, int rows, int width) {
  if (width >= W && stride % 8 == 0) return store_band(from, lane, band, to, stride, rows);
  for (int n = lane.id; n < 16 * W; n += 32) {
    const int row = n / W, column = n % W;
    if (row >= rows || column >= width) continue;
    const unsigned two = get_word(from.unit(16 * band + row, column / 8) + (column % 8 / 2) * 4);
    to[row * stride + column].bits = static_cast<unsigned short>(two >> 16 * (column % 2));
  }
}

}  // namespace lcsm
