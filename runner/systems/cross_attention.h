// Cross-attention of a decoder's layer to the encoder's output, without torch: a transformer's, or
// MEGA's gated attention. The system's mixer decides which.
#pragma once

#include <variant>

#include "ets/families/mega.h"
#include "runner/systems/system.h"

namespace at {
class Tensor;
}

namespace runner {

// An encoder's output [B, S, d], and its padding [B, S]; undefined: none.
struct EncodedSource;

struct CrossAttention {
  std::int64_t heads = 8;

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  at::Tensor forward(const lcsm::Weights& weights, const at::Tensor& x, const EncodedSource& source,
                     const lcsm::BlockContext& context) const;
};

// facebookresearch/mega, fairseq/modules/gated_cross_attention.py.
struct GatedCrossAttention {
  ets::Mega decoder;  // its options, as in the authors' code

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  at::Tensor forward(const lcsm::Weights& weights, const at::Tensor& x, const EncodedSource& source,
                     const lcsm::BlockContext& context) const;
};

using Cross = std::variant<CrossAttention, GatedCrossAttention>;

// The cross-attention that belongs to a decoder's mixer. Throws std::invalid_argument if the
// mixer's authors have none.
Cross cross_of(const lcsm::Block& mixer);
lcsm::Parameters tensors_of(const Cross& cross, std::int64_t d);
lcsm::Mixing mixing_of(const Cross& cross, std::int64_t d, double steps);

// The system as an encoder, whose steps see all others. Throws std::invalid_argument if it cannot
// be one.
System two_sided(System system);

}  // namespace runner
