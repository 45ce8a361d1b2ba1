#include "lcsm/kernel/chunk_calls.h"

#include <stdexcept>

namespace lcsm {
namespace {

unsigned parts_of(int n, int size) { return static_cast<unsigned>((n + size - 1) / size); }

// The least that holds the rows, and the channels if one does.
int rows_of(const ChunkCuda& chunk) {
  for (const int K : kChunkSizes)
    if (chunk.K <= K && (chunk.D <= K || K > kChunkSizes[0])) return K;
  throw std::invalid_argument("the chunked recurrence on a GPU: expected at most " +
                              std::to_string(kChunkMostRows) + " rows, got " +
                              std::to_string(chunk.K) + "; run it on the fused scan");
}

const char* type_of(const ChunkWork& work) { return work.bfloat16 ? "bfloat16" : "float32"; }

class Calls {
 public:
  Calls(const ChunkWork& work, bool backward)
      : work_(work),
        c_(work.chunk),
        backward_(backward),
        rows_(rows_of(c_)),
        tiles_(parts_of(c_.D, chunk_channels(rows_, work.bfloat16, backward))),
        type_(type_of(work)) {}

  std::vector<KernelCall> forward() {
    launch();
    return calls_;
  }

  std::vector<KernelCall> backward(const Allocate& allocate) {
    c_.d_e = stepwise("d_e", work_.d_e, c_.K, allocate);
    c_.d_s = stepwise("d_s", work_.d_s, c_.K, allocate);
    c_.d_log_k = stepwise("d_log_k", work_.d_log_k, c_.one_log_k ? 1 : c_.K, allocate);
    launch();
    calls_.insert(calls_.end(), sums_.begin(), sums_.end());
    return calls_;
  }

 private:
  void launch() {
    const std::string name = std::string("chunk_") + (backward_ ? "backward_" : "forward_") +
                             std::to_string(rows_) + "_" + type_;
    calls_.push_back(
        call_of(name, {tiles_ * static_cast<unsigned>(c_.B), 1, 1}, {kChunkThreads, 1, 1}, c_));
    calls_.back().shared_bytes = static_cast<unsigned>(chunk_bytes(
        rows_, work_.bfloat16, backward_, c_.log_k.data != nullptr, c_.log_d.data != nullptr));
  }
  // [tiles, B, T, width], added if there are several.
  ScanOutputCuda stepwise(const char* what, void* to, int width, const Allocate& allocate) {
    if (tiles_ == 1 || to == nullptr) return {to, true};
    const long long count = static_cast<long long>(c_.B) * c_.T * width;
    auto* const space =
        static_cast<float*>(allocate(what, tiles_ * static_cast<std::size_t>(count) * 4));
    const ScanSumCuda sum{space, to, tiles_, 1, count, ScanKeep::kN};
    sums_.push_back(call_of("scan_sum_" + type_,
                            {static_cast<unsigned>((count + kScanTile - 1) / kScanTile), 1, 1},
                            {kScanTile, kScanWarps, 1}, sum));
    return {space, false};
  }

  const ChunkWork& work_;
  ChunkCuda c_;
  const bool backward_;
  const int rows_;
  const unsigned tiles_;
  const std::string type_;
  std::vector<KernelCall> calls_, sums_;
};

}  // namespace

std::size_t chunk_kept_count(const ChunkCuda& c) {
  return static_cast<std::size_t>(c.B) * parts_of(c.T, kChunkRows) * static_cast<std::size_t>(c.K) *
         static_cast<std::size_t>(c.D);
}

std::vector<KernelCall> chunk_forward_calls(const ChunkWork& work) {
  return Calls(work, false).forward();
}
std::vector<KernelCall> chunk_backward_calls(const ChunkWork& work, const Allocate& allocate) {
  return Calls(work, true).backward(allocate);
}

CudaSource chunk_source(const ChunkWork& work) {
  const std::string kernels = "CHUNK_" + std::to_string(rows_of(work.chunk)) + "_" + type_of(work);
  return {
      .text = "#include \"lcsm/cuda/chunk_cuda.cuh\"\n#include \"lcsm/cuda/scan_cuda.cuh\"\nLCSM_" +
              kernels + "()\nLCSM_SCAN_COMMON_KERNELS()\n",
      .name = kernels + ".cu"};
}

}  // namespace lcsm
