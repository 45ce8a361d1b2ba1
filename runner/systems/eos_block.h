// Blocks that consist of a code and parts around it: their options, and the parts that options
// give.
#pragma once

#include "lcsm/block/block.h"
#include "runner/systems/attention.h"
#include "runner/systems/eos_parts.h"

namespace runner {

using StageNormWord = lcsm::Word<"none l2 rms">;
using OutputNormWord = lcsm::Word<"none layer rms">;
using OutputGateWord = lcsm::Word<"none identity silu sigmoid">;

// Throws std::invalid_argument, which names the block.
void check_block_parts(std::string_view block, const EosParts& parts);
lcsm::Mixing mixing_of(const EosParts& parts);

// The members of a block that follow from EosParts parts(std::int64_t d) const.
template <class T>
struct CodeBlock {
  lcsm::Parameters tensors(std::int64_t d) const { return block_tensors(parts_at(d)); }
  lcsm::Mixing mixing(std::int64_t d, double) const { return mixing_of(parts_at(d)); }
  void check(std::int64_t d) const { check_block_parts(T::kName, parts_at(d)); }

 private:
  EosParts parts_at(std::int64_t d) const { return static_cast<const T&>(*this).parts(d); }
};

// A code around an oscillation given as text: "o", "scale" and the other keys of a TOML table.
struct EosText {
  lcsm::OscillationText oscillation;
  int k = 0, d = 0;  // of all heads
  int a = 0;         // activation of e and s
};
EosParts coded(const EosText& text, std::int64_t d, std::int64_t heads);

// A built-in code, "1-3-1-0@tau=1".
EosParts coded(std::string_view code, std::int64_t k, std::int64_t inner, std::int64_t d,
               std::int64_t heads);

}  // namespace runner
