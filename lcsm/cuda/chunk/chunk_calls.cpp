#include "lcsm/cuda/chunk/chunk_calls.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "lcsm/cuda/chunk/walk_cuda.h"
#include "lcsm/cuda/scan/tile_sums.h"

namespace lcsm {
namespace {

const char* type_of(const ChunkWork& work) { return work.bfloat16 ? "bfloat16" : "float32"; }

int walk_size(const ChunkCuda& chunk) {
  return *std::find_if(std::begin(kChunkSizes), std::end(kChunkSizes),
                       [&](int K) { return chunk.K <= K; });
}
// A kernel of the walk has a suffix and an enumerator of Decaying for the axes that decay.
struct WalkDecays {
  const char *suffix, *decaying;
};
WalkDecays decays_of(const ChunkCuda& chunk) {
  if (chunk.log_d.data) return {"_decays", "kAny"};
  if (chunk.log_k.data) return {"_rows", "kRows"};
  return {"", "kNone"};
}
bool has_tiles(const ChunkCuda& chunk) { return walk_has_tiles(walk_size(chunk), chunk.D); }
// The part of a kernel's name that says its size and what decays: "64", "64_rows", "64_decays",
// "64_tiles".
std::string walk_kind(const ChunkCuda& chunk, WalkPart part) {
  const std::string size = std::to_string(walk_size(chunk));
  if (part == WalkPart::kStrong) return size;
  const bool tiles = part == WalkPart::kRows && has_tiles(chunk);
  return size + (tiles ? "_tiles" : "") + decays_of(chunk).suffix;
}

// The name of these kernels' shape in choices.csv.
std::string shape_of(const ChunkWork& work) {
  const ChunkCuda& chunk = work.chunk;
  const int size = chunk_size(chunk, "the chunked recurrence", "run it on the fused scan");
  return std::to_string(size) + (chunk.D > size ? "_tiles" : "") + (chunk.log_k.data ? "_k" : "") +
         (chunk.log_d.data ? "_d" : "") + "_" + type_of(work);
}

std::size_t chunks_of(const ChunkCuda& c) {
  return static_cast<std::size_t>(c.B) * static_cast<std::size_t>(chunk_kept(c.T, true));
}
// True if walk_forward stores a flag for each chunk behind the memories that it keeps.
bool keeps_strong(const ChunkWork& work) {
  const bool decays_d = work.chunk.log_d.data != nullptr;
  return work.bfloat16 && (work.chunk.log_k.data || decays_d) &&
         walk_decides(decays_d, has_tiles(work.chunk));
}
int segment_of(const ChunkWork& work, unsigned blocks) {
  const std::string split = split_shape(shape_of(work), static_cast<int>(blocks), work.processors);
  return chunk_segment(work.chunk.T, blocks, work.processors,
                       work.choices.of(Choice::kChunkSplit, split, 1));
}
int chosen_stages(const ChunkWork& work) {
  return work.choices.of(Choice::kWalkStages, shape_of(work),
                         walk_stages(walk_size(work.chunk), work.chunk.log_d.data != nullptr));
}
// True if walk_fused computes backward. It reads s and d_y once, but has a block for a sequence
// where walk_back has one for each chunk.
bool is_fused(const ChunkWork& work) {
  const ChunkCuda& c = work.chunk;
  if (!work.bfloat16 || c.log_d.data || has_tiles(c)) return false;
  const int rule = c.B < 4 * work.processors ? 2 : 1;
  const std::string shape = split_shape(shape_of(work), c.B, work.processors);
  return work.choices.of(Choice::kWalkKernels, shape, rule) == 1 &&
         segment_of(work, static_cast<unsigned>(c.B)) >= c.T;
}

class ChunkCalls {
 public:
  ChunkCalls(const ChunkWork& work, ChunkPass pass, const Allocate& allocate)
      : work_(work),
        allocate_(allocate),
        c_(work.chunk),
        pass_(pass),
        rows_(chunk_size(c_, "the chunked recurrence", "run it on the fused scan")),
        tiles_(tiles_of(pass)),
        type_(type_of(work)) {
    c_.segment = segment_of(work, tiles_ * static_cast<unsigned>(c_.B));
    segments_ = parts_of(c_.T, c_.segment);
    c_.first = work.first;
    if (!work.bfloat16) return;
    c_.whole = has_whole_tiles(
        c_, {c_.i, c_.e, c_.s, c_.d_y, c_.log_d, c_.one_log_k ? ChunkInputCuda{} : c_.log_k});
    if (keeps_strong(work) && c_.kept)
      c_.strong =
          reinterpret_cast<bool*>(static_cast<std::uint16_t*>(c_.kept) + chunk_kept_count(c_));
  }

  std::vector<KernelCall> forward() {
    c_.enters = work_.first != nullptr;
    c_.leaves = c_.last != nullptr;
    if (segments_ > 1) carry(c_, false);
    if (work_.bfloat16)
      walk(WalkPart::kForward, segments_, c_);
    else
      launch(pass_, segments_, c_);
    return calls_;
  }

  std::vector<KernelCall> backward() {
    c_.leaves = work_.first != nullptr;
    if (segments_ > 1) {
      ChunkCuda reversed = c_;
      reversed.e = c_.s, reversed.i = c_.d_y;
      carry(reversed, true);
    }
    if (work_.bfloat16) return walk_back();
    TileSums sums(tiles_, static_cast<long long>(c_.B) * c_.T, type_of(work_), allocate_);
    c_.d_e = sums.of("d_e", work_.d_e, c_.K);
    c_.d_s = sums.of("d_s", work_.d_s, c_.K);
    c_.d_log_k = sums.of("d_log_k", work_.d_log_k, c_.one_log_k ? 1 : c_.K);
    launch(pass_, segments_, c_);
    calls_.insert(calls_.end(), sums.calls().begin(), sums.calls().end());
    return calls_;
  }

 private:
  unsigned tiles_of(ChunkPass pass) const {
    const bool walks = work_.bfloat16 && pass != ChunkPass::kEnds;
    return parts_of(c_.D, walks ? kWalkChannels : chunk_channels(rows_, pass));
  }
  float* floats(const char* what, std::size_t count) {
    return static_cast<float*>(allocate_(what, count * sizeof(float)));
  }

  template <class Argument>
  void launch(ChunkPass pass, unsigned segments, const Argument& argument) {
    constexpr const char* kNames[] = {"ends", "forward", "backward"};
    calls_.push_back(call_of("chunk_" + std::string(kNames[static_cast<int>(pass)]) + "_" +
                                 std::to_string(rows_) + "_" + type_,
                             {tiles_of(pass) * static_cast<unsigned>(c_.B), segments, 1},
                             {kChunkThreads, 1, 1}, argument));
    calls_.back().shared_bytes = static_cast<unsigned>(chunk_bytes(
        rows_, work_.bfloat16, pass, c_.log_k.data != nullptr, c_.log_d.data != nullptr));
  }

  template <class Argument>
  void walk(WalkPart part, unsigned segments, const Argument& argument) {
    constexpr const char* kNames[] = {"walk_forward_", "walk_reverse_", "walk_back_",
                                      "walk_strong_", "walk_fused_"};
    const bool by_chunk = part == WalkPart::kRows || part == WalkPart::kStrong;
    const auto B = static_cast<unsigned>(c_.B);
    const std::array<unsigned, 3> grid = by_chunk ? std::array{B, parts_of(c_.T, kChunkRows), 1u}
                                                  : std::array{tiles_ * B, segments, 1u};
    calls_.push_back(call_of(kNames[static_cast<int>(part)] + walk_kind(c_, part) + "_bfloat16",
                             grid, {static_cast<unsigned>(walk_threads(part)), 1, 1}, argument));
    calls_.back().shared_bytes = static_cast<unsigned>(
        walk_bytes(walk_size(c_), part, c_.log_k.data != nullptr, c_.log_d.data != nullptr,
                   has_tiles(c_), chosen_stages(work_)));
  }
  std::vector<KernelCall> walk_back() {
    c_.d_e = {work_.d_e, true}, c_.d_s = {work_.d_s, true}, c_.d_log_k = {work_.d_log_k, true};
    const std::size_t bytes =
        2 * chunks_of(c_) * static_cast<std::size_t>(c_.K) * static_cast<std::size_t>(c_.D);
    if (c_.log_d.data && !keeps_strong(work_))
      c_.strong = static_cast<bool*>(allocate_("strong", chunks_of(c_)));
    const bool fused = is_fused(work_);
    const WalkBackCuda back{
        c_, fused && !c_.strong ? nullptr : allocate_("gradients of memories", bytes)};
    if (fused) {
      walk(WalkPart::kFused, 1, back);
    } else {
      walk(WalkPart::kReverse, segments_, back);
      walk(WalkPart::kRows, 1, back);
    }
    if (c_.strong) walk(WalkPart::kStrong, 1, back);
    return calls_;
  }

  // Computes the memory that enters each segment, given the segments computed from 0.
  void carry(const ChunkCuda& chunk, bool reverse) {
    const auto ends = static_cast<std::size_t>(c_.B) * (segments_ - 1);
    const auto K = static_cast<std::size_t>(c_.K), D = static_cast<std::size_t>(c_.D);
    float* const of_ends = floats("ends", ends * K * D);
    float* const decays = floats("decays", ends * (K + D));
    float* const starts = floats("starts", static_cast<std::size_t>(c_.B) * segments_ * K * D);
    launch(ChunkPass::kEnds, segments_ - 1, ChunkEndsCuda{chunk, reverse, of_ends, decays});
    constexpr int kThreads = 128;
    const long long cells = static_cast<long long>(c_.B) * c_.K * c_.D;
    calls_.push_back(call_of("chunk_carry", {parts_of(cells, kThreads), 1, 1}, {kThreads, 1, 1},
                             ChunkCarryCuda{static_cast<int>(segments_), c_.B, c_.K, c_.D, reverse,
                                            of_ends, decays, work_.first, starts}));
    c_.first = starts;
  }

  const ChunkWork& work_;
  const Allocate& allocate_;
  ChunkCuda c_;
  const ChunkPass pass_;
  const int rows_;
  const unsigned tiles_;
  unsigned segments_ = 1;
  const std::string type_;
  std::vector<KernelCall> calls_;
};

}  // namespace

int chunk_size(const ChunkCuda& chunk, const std::string& who, const std::string& next) {
  for (const int K : kChunkSizes)
    if (chunk.K <= K && (chunk.D <= K || K > kChunkSizes[0])) return K;
  throw std::invalid_argument(who + " on a GPU: expected at most " +
                              std::to_string(kChunkMostRows) + " rows, got " +
                              std::to_string(chunk.K) + "; " + next);
}

int chunk_segment(int T, unsigned blocks, int processors, int each) {
  // Splitting time takes three launches instead of one. It pays from this number of chunks on.
  constexpr int kLeastSplit = 4;
  const int chunks = static_cast<int>(parts_of(T, kChunkRows));
  return parts_of_segment(chunks, static_cast<int>(blocks), processors,
                          chunks < kLeastSplit ? 0 : each) *
         kChunkRows;
}

bool has_whole_tiles(const ChunkCuda& c, std::initializer_list<ChunkInputCuda> inputs) {
  const auto whole = [&](const ChunkInputCuda& in) {
    return is_aligned(in.data, 16) && in.t % 8 == 0 && (in.b == in.t * c.T || c.B == 1) &&
           in.t * c.T * c.B <= INT32_MAX;
  };
  for (const ChunkInputCuda& in : inputs)
    if (in.data && !whole(in)) return false;
  const std::size_t memories =
      chunks_of(c) * static_cast<std::size_t>(c.K) * static_cast<std::size_t>(c.D);
  return c.K == walk_size(c) && c.D % kWalkChannels == 0 && memories <= INT32_MAX;
}

std::size_t chunk_kept_count(const ChunkCuda& c) {
  return static_cast<std::size_t>(c.B) * static_cast<std::size_t>(chunk_kept(c.T, c.enters)) *
         static_cast<std::size_t>(c.K) * static_cast<std::size_t>(c.D);
}

std::size_t chunk_kept_count(const ChunkWork& work) {
  const std::size_t flags = keeps_strong(work) ? (chunks_of(work.chunk) + 1) / 2 : 0;
  return chunk_kept_count(work.chunk) + flags;
}

std::vector<KernelCall> chunk_forward_calls(const ChunkWork& work, const Allocate& allocate) {
  return ChunkCalls(work, ChunkPass::kForward, allocate).forward();
}
std::vector<KernelCall> chunk_backward_calls(const ChunkWork& work, const Allocate& allocate) {
  return ChunkCalls(work, ChunkPass::kBackward, allocate).backward();
}

CudaSource chunk_source(const ChunkWork& work) {
  const std::string kind =
      std::to_string(chunk_size(work.chunk, "the chunked recurrence", "run it on the fused scan")) +
      "_" + type_of(work);
  std::string text =
      "#include \"lcsm/cuda/chunk/chunk_cuda.cuh\"\n#include \"lcsm/cuda/scan/scan_cuda.cuh\"\n"
      "LCSM_CHUNK_KERNELS_" +
      kind + "()\nLCSM_CHUNK_COMMON_KERNELS()\nLCSM_SCAN_COMMON_KERNELS()\n";
  std::string name = "chunk_" + kind;
  if (work.bfloat16) {
    const std::string size = std::to_string(walk_size(work.chunk));
    const WalkDecays decays = decays_of(work.chunk);
    const auto kernel = [&](const std::string& macro) {
      return "LCSM_WALK_" + macro + "(" + size + ", " + decays.suffix + ", " + decays.decaying +
             ")\n";
    };
    const bool fused = is_fused(work);
    using enum Choice;
    text = work.choices.defines(shape_of(work), {kWalkForwardBlocks, kWalkReverseBlocks,
                                                 kWalkBackBlocks, kWalkStages}) +
           text + "#include \"lcsm/cuda/chunk/walk_cuda.cuh\"\n" + kernel("FORWARD");
    if (fused)
      text += kernel("FUSED");
    else
      text += kernel("REVERSE") + kernel(has_tiles(work.chunk) ? "BACK_TILES" : "BACK");
    if (*decays.suffix) text += "LCSM_WALK_STRONG(" + size + ")\n";
    name += "_walk_" + walk_kind(work.chunk, WalkPart::kRows) + (fused ? "_fused" : "");
  }
  return {.text = text, .name = name + ".cu"};
}

}  // namespace lcsm
