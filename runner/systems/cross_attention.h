// How a decoder's layer reads what the encoder has made of the source, without torch: the attention
// of a transformer, or MEGA's gated one. A system's mixer decides which.
#pragma once

#include <variant>

#include "ets/families/mega.h"
#include "runner/systems/system.h"

namespace at {
class Tensor;
}

namespace runner {

// An encoder's output [B, S, d], and where it is padding [B, S]; undefined: nowhere.
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

// Of a decoder's mixer. Throws std::invalid_argument for a mixer whose authors have none.
Cross cross_of(const lcsm::Block& mixer);
lcsm::Parameters tensors_of(const Cross& cross, std::int64_t d);
lcsm::Mixing mixing_of(const Cross& cross, std::int64_t d, double steps);

// The same system for an encoder: its steps see all others. Throws std::invalid_argument if it
// cannot.
System two_sided(System system);

}  // namespace runner
