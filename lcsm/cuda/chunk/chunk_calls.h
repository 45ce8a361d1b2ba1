// Chooses the launches of the chunked recurrence: kernels, grids, arguments and memory. The host
// side, without a driver.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "lcsm/cuda/chunk/chunk_cuda.h"
#include "lcsm/cuda/driver/choices.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"

namespace lcsm {

struct ChunkWork {
  bool bfloat16 = false;  // what is over data; memories that enter and leave are float32
  int processors = 132;   // of the device: time is split where tiles alone leave some idle
  Choices choices = {};
  // The caller sets sizes, inputs, `last`, `kept`, `to_y`, `d_i` and `d_log_d`, and for backward
  // `enters`: whether forward began with a memory. The rest is filled in here.
  ChunkCuda chunk = {};
  const float* first =
      nullptr;  // [B, K, D]: m before the first step, or the gradient of the last m; null = 0
  void *d_e = nullptr, *d_s = nullptr;  // [B, T, K]
  void* d_log_k = nullptr;              // [B, T, K], or [B, T] for one_log_k
};

// No kernel has more rows of memory: such a recurrence runs on the fused scan.
constexpr int kChunkMostRows = kChunkSizes[2];

// The least of kChunkSizes that holds the rows and, if possible, the channels. Throws for more
// rows, naming `who` and `next`, the alternative.
int chunk_size(const ChunkCuda& chunk, const std::string& who, const std::string& next);

// Returns the steps of a segment, whole chunks. There are as many segments as give each processor
// `each` blocks, or one if there are too few chunks.
int chunk_segment(int T, unsigned blocks, int processors, int each);

// The value of ChunkCuda::whole for these inputs. It ignores those without data.
bool has_whole_tiles(const ChunkCuda& chunk, std::initializer_list<ChunkInputCuda> inputs);

// The numbers in ChunkCuda::kept, of the launch's type, by its sizes and `enters`. The second also
// counts the flags that walk_forward stores behind them.
std::size_t chunk_kept_count(const ChunkCuda& chunk);
std::size_t chunk_kept_count(const ChunkWork& work);

// Calls to queue one after the other on one stream. Throws for more rows than kChunkMostRows.
std::vector<KernelCall> chunk_forward_calls(const ChunkWork& work, const Allocate& allocate);
std::vector<KernelCall> chunk_backward_calls(const ChunkWork& work, const Allocate& allocate);

// The source for NVRTC of the kernels that work of this size and type launches.
CudaSource chunk_source(const ChunkWork& work);

}  // namespace lcsm
