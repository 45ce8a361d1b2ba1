#include "lcsm/kernel/chunk_calls.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace lcsm {
namespace {

unsigned parts_of(int n, int size) { return static_cast<unsigned>((n + size - 1) / size); }

// The smallest that holds the rows, and the channels if one does.
ChunkSize size_of(const ChunkCuda& chunk) {
  for (const ChunkSize& size : kChunkSizes)
    if (chunk.K <= size.K && (chunk.D <= size.D || size.K > 32)) return size;
  throw std::invalid_argument("the chunked recurrence on a GPU: expected at most " +
                              std::to_string(kChunkMostRows) + " rows, got " +
                              std::to_string(chunk.K) + "; run it on the fused scan");
}

class Calls {
 public:
  Calls(const ChunkWork& work, const char* pass)
      : work_(work), c_(work.chunk), size_(size_of(c_)), tiles_(parts_of(c_.D, size_.D)) {
    type_ = work.bfloat16 ? "bfloat16" : "float32";
    name_ = "chunk_" + std::string(pass) + "_" + std::to_string(size_.K) + "_" + type_;
  }

  std::vector<KernelCall> forward() {
    launch(false);
    return calls_;
  }

  std::vector<KernelCall> backward(const Allocate& allocate) {
    c_.d_e = rows("d_e", work_.d_e, c_.K, allocate);
    c_.d_s = rows("d_s", work_.d_s, c_.K, allocate);
    c_.d_log_k = rows("d_log_k", work_.d_log_k, c_.one_log_k ? 1 : c_.K, allocate);
    launch(true);
    calls_.insert(calls_.end(), sums_.begin(), sums_.end());
    return calls_;
  }

 private:
  void launch(bool backward) {
    calls_.push_back(
        call_of(name_, {tiles_ * static_cast<unsigned>(c_.B), 1, 1}, {kChunkThreads, 1, 1}, c_));
    calls_.back().shared_bytes = static_cast<unsigned>(chunk_bytes(
        size_, work_.bfloat16, backward, c_.log_k.data != nullptr, c_.log_d.data != nullptr));
  }
  // [tiles, B, T, width], added if there are several.
  ScanOutputCuda rows(const char* what, void* to, int width, const Allocate& allocate) {
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
  const ChunkSize size_;
  const unsigned tiles_;
  std::string name_, type_;
  std::vector<KernelCall> calls_, sums_;
};

}  // namespace

std::size_t chunk_kept_count(const ChunkCuda& c) {
  return static_cast<std::size_t>(c.B) * parts_of(c.T, kChunkRows) * static_cast<std::size_t>(c.K) *
         static_cast<std::size_t>(c.D);
}

std::vector<KernelCall> chunk_forward_calls(const ChunkWork& work) {
  return Calls(work, "forward").forward();
}
std::vector<KernelCall> chunk_backward_calls(const ChunkWork& work, const Allocate& allocate) {
  return Calls(work, "backward").backward(allocate);
}

CudaSource chunk_source() {
  return {.text =
              "#include \"lcsm/cuda/chunk_cuda.cuh\"\n#include \"lcsm/cuda/scan_cuda.cuh\"\n"
              "LCSM_CHUNK_KERNELS()\nLCSM_SCAN_COMMON_KERNELS()\n",
          .name = "chunk.cu"};
}

}  // namespace lcsm
