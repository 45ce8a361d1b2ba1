// Small kernels that show what a GPU can do: a copy, a tiled matrix product on the ordinary units
// (fp32, fp64) and one on the tensor cores (bf16, wmma). They are meant to be readable rather than
// optimal: LibTorch's own products are measured as well.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "lcsm/cuda/device/measure_cuda.h"

namespace {

constexpr int kThreads = 256;

// ----- Copy: each thread moves four vectors of 16 bytes, a block 16 KiB -----

constexpr int kVectors = 4;

__global__ void __launch_bounds__(kThreads) copy_kernel(const uint4* from, uint4* to) {
  const size_t start = size_t{blockIdx.x} * kThreads * kVectors + threadIdx.x;
  uint4 v[kVectors];
#pragma unroll
  for (int i = 0; i < kVectors; ++i) v[i] = from[start + i * kThreads];
#pragma unroll
  for (int i = 0; i < kVectors; ++i) to[start + i * kThreads] = v[i];
}

// ----- Matrix product on the ordinary units -----

template <class T>
struct alignas(4 * sizeof(T)) Four {
  T v[4];
};

// A block owns a square of 16 M rows and columns; thread (ty, tx) of 16 x 16 owns M x M numbers, in
// groups of four neighbours: rows 64 g + 4 ty + 0..3, columns 64 g + 4 tx + 0..3.
template <class T, int M>
__global__ void __launch_bounds__(kThreads) matmul_plain(const T* a, const T* b, T* c, int n) {
  constexpr int kTile = 16 * M, kDepth = 16;
  __shared__ alignas(32) T a_tile[kDepth][kTile + 4];  // [k][row]; 4 more keep banks apart
  __shared__ alignas(32) T b_tile[kDepth][kTile + 4];  // [k][column]
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const size_t row0 = size_t{blockIdx.y} * kTile, column0 = size_t{blockIdx.x} * kTile;
  T sum[M][M] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    // Load 16 columns of a and 16 rows of b.
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      a_tile[i % kDepth][i / kDepth] = a[(row0 + i / kDepth) * n + k0 + i % kDepth];
      b_tile[i / kTile][i % kTile] = b[size_t(k0 + i / kTile) * n + column0 + i % kTile];
    }
    __syncthreads();
    // Add their outer products.
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      Four<T> x[M / 4], y[M / 4];
#pragma unroll
      for (int g = 0; g < M / 4; ++g) {
        x[g] = *reinterpret_cast<const Four<T>*>(&a_tile[k][64 * g + 4 * ty]);
        y[g] = *reinterpret_cast<const Four<T>*>(&b_tile[k][64 * g + 4 * tx]);
      }
#pragma unroll
      for (int i = 0; i < M; ++i)
#pragma unroll
        for (int j = 0; j < M; ++j) sum[i][j] += x[i / 4].v[i % 4] * y[j / 4].v[j % 4];
    }
    __syncthreads();
  }
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j)
      c[(row0 + 64 * (i / 4) + 4 * ty + i % 4) * n + column0 + 64 * (j / 4) + 4 * tx + j % 4] =
          sum[i][j];
}

// ----- Matrix product on the tensor cores -----

// A block owns 128 x 128, its eight warps (4 down, 2 across) 32 x 64 each, as 2 x 4 fragments.
__global__ void __launch_bounds__(kThreads)
    matmul_tensor_cores(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n) {
  using namespace nvcuda;
  constexpr int kTile = 128, kDepth = 32, kVector = 8;              // 8 bf16 = 16 bytes a load
  __shared__ alignas(128) __nv_bfloat16 a_tile[kTile][kDepth + 8];  // [row][k]
  __shared__ alignas(128) __nv_bfloat16 b_tile[kDepth][kTile + 8];  // [k][column]
  const int warp = threadIdx.x / 32, down = warp / 2 * 32, across = warp % 2 * 64;
  const size_t row0 = size_t{blockIdx.y} * kTile, column0 = size_t{blockIdx.x} * kTile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][4];
  for (auto& row : sum)
    for (auto& fragment : row) wmma::fill_fragment(fragment, 0.0f);
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    // Load 32 columns of a and 32 rows of b.
    for (int i = threadIdx.x * kVector; i < kTile * kDepth; i += kThreads * kVector) {
      *reinterpret_cast<uint4*>(&a_tile[i / kDepth][i % kDepth]) =
          *reinterpret_cast<const uint4*>(&a[(row0 + i / kDepth) * n + k0 + i % kDepth]);
      *reinterpret_cast<uint4*>(&b_tile[i / kTile][i % kTile]) =
          *reinterpret_cast<const uint4*>(&b[size_t(k0 + i / kTile) * n + column0 + i % kTile]);
    }
    __syncthreads();
    // Multiply, 16 of k at a time.
    for (int k = 0; k < kDepth; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> y[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(x[i], &a_tile[down + 16 * i][k], kDepth + 8);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(y[j], &b_tile[k][across + 16 * j], kTile + 8);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(&c[(row0 + down + 16 * i) * n + column0 + across + 16 * j], sum[i][j],
                              n, wmma::mem_row_major);
}

// ----- Launchers -----

void launch_matmul(const LcsmMatmulCuda& w) {
  if (w.type == kLcsmFloat64) {
    matmul_plain<double, 4><<<dim3(w.n / 64, w.n / 64), kThreads>>>(static_cast<const double*>(w.a),
                                                                    static_cast<const double*>(w.b),
                                                                    static_cast<double*>(w.c), w.n);
  } else if (w.type == kLcsmFloat32) {
    matmul_plain<float, 8><<<dim3(w.n / 128, w.n / 128), kThreads>>>(static_cast<const float*>(w.a),
                                                                     static_cast<const float*>(w.b),
                                                                     static_cast<float*>(w.c), w.n);
  } else {
    matmul_tensor_cores<<<dim3(w.n / 128, w.n / 128), kThreads>>>(
        static_cast<const __nv_bfloat16*>(w.a), static_cast<const __nv_bfloat16*>(w.b),
        static_cast<float*>(w.c), w.n);
  }
}

void launch_copy(const LcsmCopyCuda& w) {
  const unsigned blocks = static_cast<unsigned>(w.bytes / (kThreads * kVectors * sizeof(uint4)));
  copy_kernel<<<blocks, kThreads>>>(static_cast<const uint4*>(w.from), static_cast<uint4*>(w.to));
}

template <class Work>
cudaError_t time_each(const Work& work, void (*launch)(const Work&), int repeats, float* ms) {
  cudaEvent_t start, stop;
  cudaError_t error = cudaEventCreate(&start);
  if (error != cudaSuccess) return error;
  error = cudaEventCreate(&stop);
  for (int i = 0; i < repeats && error == cudaSuccess; ++i) {
    cudaEventRecord(start);
    launch(work);
    cudaEventRecord(stop);
    error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaEventSynchronize(stop);
    if (error == cudaSuccess) error = cudaEventElapsedTime(&ms[i], start, stop);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return error;
}

const char* text(cudaError_t error) {
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace

#define LCSM_EXPORT __attribute__((visibility("default")))

extern "C" {

LCSM_EXPORT const char* lcsm_matmul_cuda(const LcsmMatmulCuda* work, int repeats, float* ms) {
  return text(time_each(*work, launch_matmul, repeats, ms));
}

LCSM_EXPORT const char* lcsm_copy_cuda(const LcsmCopyCuda* work, int repeats, float* ms) {
  return text(time_each(*work, launch_copy, repeats, ms));
}

LCSM_EXPORT const char* lcsm_synchronize_cuda() { return text(cudaDeviceSynchronize()); }
}
