// A block: the part of a model that mixes steps, or follows such a part. What every block has,
// without tensors of LibTorch: a row with its options, and the tensors that it is made of.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lcsm/block/options.h"
#include "lcsm/code/variant.h"

namespace lcsm {

struct BlockRow;

// A row with its options and the number of channels filled in.
struct Block {
  const BlockRow* row = nullptr;
  Options options;
  std::int64_t d = 0;

  std::int64_t directions() const;
};

using Parameters = std::vector<Parameter>;

// The first lag of the backward direction's sum: 0 counts the present step twice.
enum class Lag : std::uint8_t { kZero = 0, kOne = 1, kCausalOnly };

struct BlockRow {
  std::string_view name, help;
  Lag backward_lag;
  std::span<const OptionRow> options;
  Parameters (*tensors)(const Block&);
  // Rules between options and sizes; throws std::invalid_argument.
  void (*check)(const Block&);
};

// Throws std::invalid_argument where options or sizes do not fit together.
Block make_block(const BlockRow& row, const Options& options, std::int64_t d);

// Lists the tensors in the order of the equations.
Parameters tensors_of(const Block& block);

// The part of a block that is a block itself: options of equal names have equal values.
Block part_of(const Block& whole, const BlockRow& row, std::int64_t d);

// True if an output depends on later inputs, by the options "bidirectional" and "causal".
bool is_two_sided(const Block& block);

}  // namespace lcsm
