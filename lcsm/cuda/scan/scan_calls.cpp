#include "lcsm/cuda/scan/scan_calls.h"

#include <algorithm>
#include <cstdint>

#include "lcsm/cuda/scan/tape_source.h"

namespace lcsm {
namespace {

unsigned tiles_of(int n) { return parts_of(n, kScanTile); }
constexpr std::array<unsigned, 3> kBlock = {kScanTile, kScanWarps, 1};

int leaves_of(const Tape& tape) {
  return static_cast<int>(std::count_if(tape.values.begin(), tape.values.end(),
                                        [](const TapeValue& value) { return value.leaf >= 0; }));
}

// The name of these kernels' shape in choices.csv.
std::string shape_of(const ScanWork& work) {
  const std::string kind = work.form.channels          ? "channels_"
                           : parts_of(*work.tape) == 1 ? "cells_"
                                                       : "complex_";
  return kind + std::to_string(leaves_of(*work.tape)) + (work.bfloat16 ? "_bfloat16" : "_float32");
}

// The properties of a tape that set the shared memory of scan_backward.
struct BackwardOf {
  int of_rows = 0, of_channels = 0, parts = 1;
  bool reads = false;

  explicit BackwardOf(const Tape& tape)
      : parts(static_cast<int>(parts_of(tape))), reads(tape.parts.size() > parts_of(tape)) {
    for (const TapeValue& value : tape.values) {
      of_rows += value.leaf >= 0 && value.spread == Spread::kSteps;
      of_channels += value.leaf >= 0 && value.spread == Spread::kCells;
    }
  }
  bool stores() const { return scan_stores_gates(of_rows, parts, reads); }
};

// The steps from one memory that forward keeps to the next.
int kept_steps(const ScanWork& work) {
  if (!work.form.channels) return kScanSteps;
  return work.choices.of(Choice::kChannelsSteps, shape_of(work),
                         channel_steps(leaves_of(*work.tape)));
}

class ScanCalls {
 public:
  ScanCalls(const ScanWork& work, const Allocate& allocate)
      : work_(work), allocate_(allocate), s_(work.scan) {
    type_ = work.bfloat16 ? "bfloat16" : "float32";
    name_ = scan_kernels_name(*work.tape, work.form) + "_" + type_ + "_";
    parts_ = static_cast<int>(parts_of(*work.tape));
    rows_ = tiles_of(s_.K);
    channels_ = tiles_of(s_.D);
    // Segments of whole blocks, so that each processor gets two tiles. Those of
    // one row are read twice, so its time is split only if channels leave processors idle.
    const bool channels = work.form.channels;
    const int length = channels ? kChannelParts * kept_steps(work) : kScanBlock;
    const auto tiles = static_cast<int>(rows_ * channels_) * s_.B;
    const int blocks = (s_.T + length - 1) / length;
    const int each =
        work.choices.of(Choice::kScanSplit, split_shape(shape_of(work), tiles, work.processors),
                        channels && tiles >= work.processors ? 0 : 2);
    s_.segment = parts_of_segment(blocks, tiles, work.processors, each) * length;
    segments_ = static_cast<unsigned>((s_.T + s_.segment - 1) / s_.segment);
    s_.paired = channels && are_paired();
  }

  std::vector<KernelCall> forward() {
    s_.starts = work_.first;
    if (segments_ > 1) carry("ends", false);
    s_.y = stepwise("y", work_.y, rows_, s_.D, type_);
    launch("forward", 0);
    return finished();
  }

  std::vector<KernelCall> backward() {
    s_.starts = work_.first;
    if (segments_ > 1) carry("starts", true);
    s_.d_i = stepwise("d_i", work_.d_i, rows_, s_.D, type_);
    s_.d_e = stage("d_e", work_.d_e, work_.form.e);
    s_.d_s = stage("d_s", work_.d_s, work_.form.s);
    for (const TapeValue& value : work_.tape->values)
      if (value.leaf >= 0) s_.d_leaves[value.leaf] = leaf(value);
    launch("backward", work_.form.channels ? 0 : scan_backward_bytes(*work_.tape));
    return finished();
  }

 private:
  // True if all pairs of channels are aligned.
  bool are_paired() const {
    const std::size_t number = work_.bfloat16 ? 2 : 4;
    const auto aligned = [](const void* data, std::size_t of) { return is_aligned(data, 2 * of); };
    const auto input = [&](const ScanInputCuda& in, std::size_t of) {
      return aligned(in.data, of) && in.b % 2 == 0 && in.t % 2 == 0;
    };
    bool all = s_.D % 2 == 0 && input(s_.i, number) && input(s_.d_y, number) &&
               aligned(s_.kept, 4) && aligned(s_.memory, 4) && aligned(work_.first, 4) &&
               aligned(work_.y, number) && aligned(work_.d_i, number);
    for (const TapeValue& value : work_.tape->values) {
      if (value.leaf < 0 || value.spread != Spread::kCells) continue;
      const auto n = static_cast<std::size_t>(value.leaf);
      const std::size_t of = work_.tape->exact ? 4 : number;
      all = all && input(s_.leaves[n], of) &&
            (n >= work_.d_leaves.size() || aligned(work_.d_leaves[n], of));
    }
    return all;
  }
  std::size_t matrices() const {  // [K, D], one for each segment of each sequence
    return static_cast<std::size_t>(s_.B) * segments_ * static_cast<std::size_t>(s_.K) *
           static_cast<std::size_t>(s_.D);
  }
  float* floats(const char* what, std::size_t count) {
    return static_cast<float*>(allocate_(what, count * sizeof(float)));
  }

  std::string leaf_type() const { return work_.tape->exact ? "float32" : type_; }

  void launch(const std::string& part, int shared_bytes) {
    const int warps = work_.form.channels ? kChannelWarps : kScanWarps;
    calls_.push_back(call_of(name_ + part,
                             {rows_ * channels_, segments_, static_cast<unsigned>(s_.B)},
                             {kScanTile, static_cast<unsigned>(warps), 1}, s_));
    calls_.back().shared_bytes = static_cast<unsigned>(shared_bytes);
  }
  std::vector<KernelCall> finished() {
    calls_.insert(calls_.end(), sums_.begin(), sums_.end());
    return calls_;
  }

  // Computes the memory that enters each segment, given the segments computed from 0.
  void carry(const char* part, bool reverse) {
    const std::size_t memories = static_cast<std::size_t>(parts_) * matrices();
    s_.ends = floats("ends", 2 * memories);
    float* const starts = floats("starts", memories);
    launch(part, 0);
    const ScanCarryCuda argument{static_cast<int>(segments_),
                                 s_.B,
                                 static_cast<long long>(s_.K) * s_.D,
                                 s_.ends,
                                 work_.first,
                                 starts,
                                 reverse};
    constexpr int kThreads = 128;
    calls_.push_back(call_of("scan_carry_" + std::to_string(parts_),
                             {parts_of(argument.B * argument.cells, kThreads), 1, 1},
                             {kThreads, 1, 1}, argument));
    s_.starts = starts;
  }

  // [copies, B, T, width], added if there are several.
  ScanOutputCuda stepwise(const char* what, void* to, unsigned copies, int width,
                          const std::string& type) {
    if (copies == 1 || to == nullptr) return {to, true};
    const long long count = static_cast<long long>(s_.B) * s_.T * width;
    float* const space = floats(what, copies * static_cast<std::size_t>(count));
    sum({space, to, copies, 1, count, ScanKeep::kN}, type);
    return {space, false};
  }
  ScanOutputCuda stage(const char* what, void* to, StageKind is) {
    return is == StageKind::kStatic ? fixed(what, to, ScanKeep::kN, 1)
                                    : stepwise(what, to, channels_, s_.K, type_);
  }
  // [B segments, K, D], summed over the sequences and what the input does not vary over.
  ScanOutputCuda fixed(const char* what, void* to, ScanKeep keep, int m) {
    if (to == nullptr) return {nullptr, true};
    float* const space = floats(what, matrices());
    const long long copies = static_cast<long long>(s_.B) * segments_;
    sum({space, to, copies, m, static_cast<long long>(s_.K) * s_.D / m, keep}, "float32");
    return {space, false};
  }

  ScanOutputCuda leaf(const TapeValue& value) {
    const auto n = static_cast<std::size_t>(value.leaf);
    void* const to = work_.d_leaves[n];
    const bool over_k = s_.leaves[n].k != 0;
    switch (value.spread) {
      case Spread::kCells:
        return stepwise("d_leaf", to, rows_, s_.D, leaf_type());
      case Spread::kSteps:
        return over_k ? stepwise("d_leaf", to, channels_, s_.K, leaf_type())
                      : over_time("d_leaf", to);
      case Spread::kChannels:
        return fixed("d_leaf", to, ScanKeep::kN, over_k ? 1 : s_.K);
      default:
        return fixed("d_leaf", to, over_k ? ScanKeep::kM : ScanKeep::kNone, s_.K);
    }
  }
  // The gradient of a leaf [B, T], which is also summed over the rows.
  ScanOutputCuda over_time(const char* what, void* to) {
    if (to == nullptr) return {nullptr, true};
    const long long steps = static_cast<long long>(s_.B) * s_.T;
    float* const space =
        floats(what, channels_ * static_cast<std::size_t>(steps) * static_cast<std::size_t>(s_.K));
    sum({space, to, channels_, steps, s_.K, ScanKeep::kM}, leaf_type());
    return {space, false};
  }

  void sum(const ScanSumCuda& argument, const std::string& type) {
    const auto blocks = static_cast<unsigned>(scan_sum_blocks(argument));
    sums_.push_back(call_of("scan_sum_" + type, {blocks, 1, 1}, kBlock, argument));
  }

  const ScanWork& work_;
  const Allocate& allocate_;
  ScanCuda s_;
  std::string name_, type_;
  int parts_ = 1;
  unsigned rows_ = 1, channels_ = 1, segments_ = 1;
  std::vector<KernelCall> calls_, sums_;
};

}  // namespace

int scan_backward_bytes(const Tape& tape) {
  const BackwardOf is(tape);
  return scan_backward_bytes(is.of_rows, is.of_channels, is.parts, is.stores());
}

std::size_t scan_kept_bytes(const ScanWork& work) {
  const ScanCuda& s = work.scan;
  const auto parts = [](int n, int of) { return static_cast<std::size_t>((n + of - 1) / of); };
  const std::size_t memories =
      static_cast<std::size_t>(s.B) * parts(s.T, kept_steps(work)) * parts_of(*work.tape);
  if (work.form.channels) return 4 * memories * static_cast<std::size_t>(s.D);
  return (work.bfloat16 ? 2 : 4) * memories * parts(s.K, kScanRows) * parts(s.D, kScanColumns) *
         kScanCells;
}

CudaSource scan_source(const ScanWork& work) {
  using enum Choice;
  CudaSource source = scan_source(*work.tape, work.form);
  const std::string shape = shape_of(work);
  source.text = (work.form.channels
                     ? work.choices.defines(
                           shape, {kChannelsForwardBlocks, kChannelsBackwardBlocks, kChannelsSteps})
                     : work.choices.defines(shape, {kScanForwardBlocks, kScanBackwardBlocks})) +
                source.text;
  return source;
}

std::vector<KernelCall> scan_forward_calls(const ScanWork& work, const Allocate& allocate) {
  return ScanCalls(work, allocate).forward();
}
std::vector<KernelCall> scan_backward_calls(const ScanWork& work, const Allocate& allocate) {
  return ScanCalls(work, allocate).backward();
}

}  // namespace lcsm
