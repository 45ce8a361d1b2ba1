// The layer of a code with the parts that named systems add: heads, short convolutions, normalized
// e and s, a bonus for the present token, norms per head, an output gate.
//
//   i, e, s  = W x; a short convolution and silu; e and s: the activation of the code, a norm,
//              s scaled; split into heads
//   y        = the recurrence of the code in each head, + s_t (u e_t) i_t, + skip i_t
//   out      = W_out (norm(y) act(W_g x))
//
// Without any part it is lcsm's layer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lcsm/block/block.h"
#include "lcsm/code/variant.h"

namespace runner {

enum class StageNorm : std::uint8_t { kNone, kL2, kRms };
enum class OutputNorm : std::uint8_t { kLayer, kRms, kHeadLayer, kHeadRms };
enum class OutputGate : std::uint8_t { kNone, kIdentity, kSilu, kSigmoid };

struct EosParts {
  lcsm::Variant variant;  // all heads together: k rows of e and s, d channels of i
  std::int64_t d = 0;     // of x and the output
  int heads = 1;
  bool shares_stages = false;  // one e and one s for all heads
  std::int64_t taps = 0;       // of the short convolutions; 0 = none
  StageNorm stage_norm = StageNorm::kNone;
  bool scaled = false;  // s by 1 / sqrt(rows of a head)
  bool bonus = false, skip = false;
  bool decays = false;  // a matrix oscillation forgets by a number per head from the input
  OutputNorm norm = OutputNorm::kLayer;
  OutputGate gate = OutputGate::kNone;
  bool gates_first = false;                  // the gate comes before the norm
  std::map<std::string, lcsm::Expr> biases;  // by projection or convolution: initial value
  // The initial value of w, one per head; index_k counts the heads.
  lcsm::Expr of_heads;

  bool is_plain() const;  // lcsm's layer
  lcsm::Sizes head_sizes() const;
};

// "none", "l2", ...; the words of options and keys, in the order of the enumerations.
inline constexpr std::string_view kStageNormWords = "none l2 rms";
inline constexpr std::string_view kOutputNormWords = "none layer rms";  // by heads; none = over all
inline constexpr std::string_view kOutputGateWords = "none identity silu sigmoid";
StageNorm stage_norm_of(std::string_view word);
OutputNorm output_norm_of(std::string_view word);
OutputGate output_gate_of(std::string_view word);

// Throws std::invalid_argument: who, expected, got.
void check_parts(const EosParts& parts);

// The code of one head. `batched`: heads become elements of the batch, so static values per head
// become data.
lcsm::Variant head_variant(const EosParts& parts, bool batched);
// True if the heads can form a batch: each static symbol varies over at most one axis.
bool can_batch_heads(const EosParts& parts);
// The data symbol that stands for a static one in a batch of heads.
lcsm::Symbol batched_symbol(const lcsm::Symbol& s);
bool is_static_symbol(const lcsm::Symbol& s);

// The names are part of the format: the names in the code's layer (lcsm), and input_conv,
// expand_conv, shrink_conv, bonus, skip, decay, gate.
std::vector<lcsm::Parameter> tensors_of(const EosParts& parts);

struct EosCost {
  double flops = 0, kept = 0;  // per token, forward; numbers kept for the backward pass
};
EosCost cost_of(const EosParts& parts);

// The tensors of the block, without those that follow from the sizes alone.
lcsm::Parameters block_tensors(const EosParts& parts);

}  // namespace runner
