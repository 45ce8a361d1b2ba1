// Linear attention with a decay, in chunks on tensor cores: what the judge is built for, small
// enough to read. y_i = sum over j <= i of decay^(i-j) (q_i . k_j) v_j. A block owns a head, a warp
// 16 rows of each product; the state m stays in registers. Planted faults as in reduce.cu.
#include <cuda_bf16.h>

enum Fault { kSound, kNoBarrier, kNoLastBarrier, kNoPadding, kSwapped, kNoWait };

using bf16 = __nv_bfloat16;
constexpr int kSize = 64, kThreads = 128;  // of a chunk and of q, k and v

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

template <bool transposed>
__device__ void load_tiles(unsigned (&r)[4], const bf16* row) {
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row))
                 : "memory");
}

template <Fault fault>
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  constexpr int kSecond = fault == kSwapped ? 2 : 1;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[kSecond]), "r"(a[3 - kSecond]), "r"(a[3]), "r"(b0), "r"(b1));
}

// sum (16 x 64, of this warp) += a b. a is stored [row][k] from its first row on, or [k][row];
// b [k][column] or [column][k].
template <Fault fault, bool a_by_k, bool b_by_k, int stride>
__device__ void add_product(float (&sum)[8][4], const bf16* a, const bf16* b) {
  const int lane = threadIdx.x % 32, row = lane % 8, low = lane / 8 % 2, high = lane / 16;
  for (int k = 0; k < kSize; k += 16) {
    unsigned left[4];
    if (a_by_k)
      load_tiles<true>(left, a + (k + row + 8 * high) * stride + 8 * low);
    else
      load_tiles<false>(left, a + (row + 8 * low) * stride + k + 8 * high);
    for (int n = 0; n < kSize; n += 16) {
      unsigned right[4];
      if (b_by_k)
        load_tiles<true>(right, b + (k + row + 8 * low) * stride + n + 8 * high);
      else
        load_tiles<false>(right, b + (n + row + 8 * high) * stride + k + 8 * low);
      multiply<fault>(sum[n / 8], left, right[0], right[1]);
      multiply<fault>(sum[n / 8 + 1], left, right[2], right[3]);
    }
  }
}

template <int stride>
__device__ void fetch(bf16* to, const bf16* from) {
  for (int k = threadIdx.x; k < kSize * kSize / 8; k += kThreads) {
    const unsigned place = shared_address(to + k / 8 * stride + k % 8 * 8);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from + 8 * k)
                 : "memory");
  }
}

template <Fault fault>
__device__ void attend(const bf16* q, const bf16* k, const bf16* v, const float* log2_decay,
                       float* y, int chunks) {
  constexpr int stride = fault == kNoPadding ? kSize : kSize + 8;  // 8 more keep banks apart
  extern __shared__ __align__(16) bf16 shared[];
  const auto tile = [](int n) { return shared + n * kSize * stride; };
  bf16 *states = tile(6), *scaled = tile(7), *scores = tile(8);
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 16, row = first + lane / 4,
            column = lane % 4 * 2;
  const size_t head = size_t(blockIdx.x) * chunks * kSize * kSize;
  const float rate = log2_decay[blockIdx.x];
  float m[8][4] = {};
  const auto begin = [&](int c) {
    const size_t at = head + size_t(c) * kSize * kSize;
    fetch<stride>(tile(c % 2 * 3), q + at);
    fetch<stride>(tile(c % 2 * 3 + 1), k + at);
    fetch<stride>(tile(c % 2 * 3 + 2), v + at);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  const auto store = [&](bf16* to, int n, int half, float x, float z) {
    *reinterpret_cast<__nv_bfloat162*>(to + (row + 8 * half) * stride + 8 * n + column) =
        __floats2bfloat162_rn(x, z);
  };
  begin(0);
  for (int c = 0; c < chunks; ++c) {
    if (c + 1 < chunks) {
      begin(c + 1);
      if (fault != kNoWait) asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
    const bf16 *qs = tile(c % 2 * 3), *ks = tile(c % 2 * 3 + 1), *vs = tile(c % 2 * 3 + 2);
    // The state, rounded, and keys by the decay that is left at the end of the chunk.
#pragma unroll
    for (int n = 0; n < 8; ++n)
      for (int half = 0; half < 2; ++half)
        store(states, n, half, m[n][2 * half], m[n][2 * half + 1]);
    for (int e = threadIdx.x; e < kSize * kSize / 2; e += kThreads) {
      const int j = e / 32, at = j * stride + e % 32 * 2;
      const float left = exp2f(rate * (kSize - 1 - j));
      const float2 two = __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162*>(ks + at));
      *reinterpret_cast<__nv_bfloat162*>(scaled + at) =
          __floats2bfloat162_rn(two.x * left, two.y * left);
    }
    if (fault != kNoBarrier) __syncthreads();
    // The steps before the chunk, then the steps in it.
    float out[8][4] = {}, inside[8][4] = {};
    add_product<fault, false, true, stride>(out, qs + first * stride, states);
    add_product<fault, false, false, stride>(inside, qs + first * stride, ks);
#pragma unroll
    for (int n = 0; n < 8; ++n)
      for (int half = 0; half < 2; ++half) {
        const int i = row + 8 * half, j = 8 * n + column;
        const float since = exp2f(rate * (i + 1));
        out[n][2 * half] *= since;
        out[n][2 * half + 1] *= since;
        store(scores, n, half, i >= j ? inside[n][2 * half] * exp2f(rate * (i - j)) : 0,
              i > j ? inside[n][2 * half + 1] * exp2f(rate * (i - j - 1)) : 0);
      }
    __syncwarp();
    add_product<fault, false, true, stride>(out, scores + first * stride, vs);
    for (int n = 0; n < 8; ++n)
      for (int half = 0; half < 2; ++half)
        *reinterpret_cast<float2*>(y + head + size_t(c * kSize + row + 8 * half) * kSize + 8 * n +
                                   column) = float2{out[n][2 * half], out[n][2 * half + 1]};
    const float whole = exp2f(rate * kSize);
#pragma unroll
    for (int n = 0; n < 8; ++n)
      for (int e = 0; e < 4; ++e) m[n][e] *= whole;
    add_product<fault, true, true, stride>(m, scaled + first, vs);
    if (fault != kNoLastBarrier) __syncthreads();
  }
}

#define KERNEL(name, fault)                                                                \
  extern "C" __global__ void __launch_bounds__(kThreads)                                   \
      name(const bf16* q, const bf16* k, const bf16* v, const float* log2_decay, float* y, \
           int chunks) {                                                                   \
    attend<fault>(q, k, v, log2_decay, y, chunks);                                         \
  }
KERNEL(attend_sound, kSound)
KERNEL(attend_no_barrier, kNoBarrier)
KERNEL(attend_no_last_barrier, kNoLastBarrier)
KERNEL(attend_no_padding, kNoPadding)
KERNEL(attend_swapped, kSwapped)
KERNEL(attend_no_wait, kNoWait)
