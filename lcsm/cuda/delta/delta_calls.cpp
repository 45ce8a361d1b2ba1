#include "lcsm/cuda/delta/delta_calls.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "lcsm/cuda/scan/tile_sums.h"

namespace lcsm {
namespace {

const char* type_of(const DeltaWork& work) { return work.bfloat16 ? "bfloat16" : "float32"; }

int size_of(const DeltaWork& work) {
  return chunk_size(work.delta.chunk, "the delta rule", "run it on the CPU");
}
class DeltaCalls {
 public:
  DeltaCalls(const DeltaWork& work, ChunkPass pass, const Allocate& allocate)
      : work_(work), allocate_(allocate), pass_(pass), rows_(size_of(work)), delta_(work.delta) {
    // If not even the ends of one segment give each processor a block, a split costs more than it
    // saves.
    const bool pays = B_ * (tiles_ + tiles_of_ends(c_.K)) <= static_cast<unsigned>(work.processors);
    const std::string split = split_shape(std::to_string(rows_) + "_" + type_of(work),
                                          static_cast<int>(B_ * tiles_), work.processors);
    c_.segment = chunk_segment(c_.T, B_ * tiles_, work.processors,
                               work.choices.of(Choice::kDeltaSplit, split, pays ? 1 : 0));
    segments_ = parts_of(c_.T, c_.segment);
    c_.first = work.first;
    if (work.bfloat16) c_.whole = has_whole_tiles(c_, {c_.i, c_.e, c_.s, c_.d_y, delta_.v});
  }

  std::vector<KernelCall> forward() {
    c_.enters = work_.first != nullptr;
    c_.leaves = c_.last != nullptr;
    if (segments_ > 1) carry("ends", false);
    if (work_.bfloat16) {
      if (delta_.w == nullptr) delta_.w = rows("w", c_.D);
      const DeltaWalkCuda walk{delta_, rows("solved", c_.K), nullptr};
      launch(DeltaPart::kSystems, {B_, chunks_, 1}, walk);
      launch(DeltaPart::kForward, {B_ * tiles_, segments_, 1}, walk);
    } else {
      launch("forward", {B_ * tiles_, segments_, 1}, delta_);
    }
    return calls_;
  }

  std::vector<KernelCall> backward() {
    c_.leaves = work_.first != nullptr;
    if (segments_ > 1) carry("starts", true);
    if (work_.bfloat16) return walk_back();
    TileSums sums(tiles_, static_cast<long long>(c_.B) * c_.T, type_of(work_), allocate_);
    c_.d_e = sums.of("d_u", work_.d_u, c_.K);
    c_.d_s = sums.of("d_s", work_.d_s, c_.K);
    delta_.d_v = sums.of("d_v", work_.d_v, c_.K);
    delta_.d_log_a = sums.of("d_log_a", work_.d_log_a, 1);
    launch("backward", {B_ * tiles_, segments_, 1}, delta_);
    calls_.insert(calls_.end(), sums.calls().begin(), sums.calls().end());
    return calls_;
  }

 private:
  std::vector<KernelCall> walk_back() {
    c_.d_e = {work_.d_u, true}, c_.d_s = {work_.d_s, true};
    delta_.d_v = {work_.d_v, true}, delta_.d_log_a = {work_.d_log_a, true};
    const std::size_t memories = static_cast<std::size_t>(B_) * chunks_ *
                                 static_cast<std::size_t>(c_.K) * static_cast<std::size_t>(c_.D);
    const DeltaWalkCuda walk{delta_, rows("solved", c_.K),
                             allocate_("gradients of memories", 2 * memories)};
    launch(DeltaPart::kSystemsBack, {B_, chunks_, 1}, walk);
    launch(DeltaPart::kReverse, {B_ * tiles_, segments_, 1}, walk);
    launch(DeltaPart::kRows, {B_, chunks_, 1}, walk);
    return calls_;
  }

  unsigned tiles_of_ends(int columns) const {
    return parts_of(columns, delta_channels(rows_, work_.bfloat16, pass_));
  }
  void* rows(const char* what, int width) const {
    return allocate_(what, 2 * static_cast<std::size_t>(c_.B) * static_cast<std::size_t>(c_.T) *
                               static_cast<std::size_t>(width));
  }
  // Allocates matrices per sequence.
  float* floats(const char* what, int count, int rows, int columns) {
    const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    const std::size_t matrices = static_cast<std::size_t>(c_.B) * static_cast<std::size_t>(count);
    return static_cast<float*>(allocate_(what, matrices * cells * sizeof(float)));
  }
  void launch(const std::string& kernel, std::array<unsigned, 3> grid, const DeltaCuda& delta) {
    calls_.push_back(call_of("delta_" + kernel + "_" + std::to_string(rows_) + "_" + type_of(work_),
                             grid, {kChunkThreads, 1, 1}, delta));
    calls_.back().shared_bytes = static_cast<unsigned>(delta_bytes(rows_, work_.bfloat16, pass_));
  }
  void launch(DeltaPart part, std::array<unsigned, 3> grid, const DeltaWalkCuda& walk) {
    calls_.push_back(call_of(std::string("delta_") + kDeltaParts[static_cast<int>(part)] + "_" +
                                 std::to_string(rows_) + "_bfloat16",
                             grid, {static_cast<unsigned>(delta_walk_threads(part)), 1, 1}, walk));
    calls_.back().shared_bytes = static_cast<unsigned>(delta_walk_bytes(rows_, part));
  }

  // Computes the memory that enters each segment, from what each segment makes of 0 and of 1.
  void carry(const std::string& kernel, bool reverse) {
    const int segments = static_cast<int>(segments_), K = c_.K, D = c_.D;
    DeltaCuda ends = delta_;
    ends.ends = floats("ends", segments - 1, K, D);
    ends.products = floats("products", segments - 1, K, delta_product_width(K));
    float* const starts = floats("starts", segments, K, D);
    launch(kernel, {B_ * std::max(tiles_of_ends(D), tiles_of_ends(K)), segments_ - 1, 2}, ends);
    // Zeroes the padding too, which would otherwise hold stale bytes beside a bool.
    DeltaCarryCuda between;
    std::memset(&between, 0, sizeof between);
    between.segments = segments, between.B = c_.B, between.K = K, between.D = D;
    between.reverse = reverse;
    between.ends = ends.ends, between.products = ends.products;
    between.first = work_.first, between.starts = starts;
    calls_.push_back(call_of("delta_carry", {parts_of(D, kDeltaCarryChannels), B_, 1},
                             {kDeltaCarryThreads, 1, 1}, between));
    c_.first = starts;
  }

  const DeltaWork& work_;
  const Allocate& allocate_;
  const ChunkPass pass_;
  const int rows_;
  DeltaCuda delta_;
  ChunkCuda& c_ = delta_.chunk;
  const unsigned B_ = static_cast<unsigned>(c_.B), chunks_ = parts_of(c_.T, kChunkRows),
                 tiles_ = work_.bfloat16 ? parts_of(c_.D, kWalkChannels) : tiles_of_ends(c_.D);
  unsigned segments_ = 1;
  std::vector<KernelCall> calls_;
};

}  // namespace

std::vector<KernelCall> delta_forward_calls(const DeltaWork& work, const Allocate& allocate) {
  return DeltaCalls(work, ChunkPass::kForward, allocate).forward();
}
std::vector<KernelCall> delta_backward_calls(const DeltaWork& work, const Allocate& allocate) {
  return DeltaCalls(work, ChunkPass::kBackward, allocate).backward();
}

CudaSource delta_source(const DeltaWork& work) {
  const std::string kind = std::to_string(size_of(work)) + "_" + type_of(work);
  return {
      .text =
          "#include \"lcsm/cuda/delta/delta_cuda.cuh\"\n#include \"lcsm/cuda/scan/scan_cuda.cuh\"\n"
          "LCSM_DELTA_KERNELS_" +
          kind + "()\nLCSM_DELTA_COMMON_KERNELS()\nLCSM_SCAN_COMMON_KERNELS()\n",
      .name = "delta_" + kind + ".cu"};
}

}  // namespace lcsm
