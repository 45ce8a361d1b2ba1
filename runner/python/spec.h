// A layer as one text, which Python passes in every call, with a line per key:
//
//   code 1-mine-1-0            or: system mamba-2@state=64; feed mega; block s4d
//   d 64
//   k 32
//   name mine                  of a user's own oscillation: the keys of [oscillation.NAME]
//   o sigmoid(p_k + w_k)
//   init.w_k 0.5
//   biases 1                   of a code: one beside every projection
//   set.modes 16               an option of a block
//   layer 0, layers 4, length 1024    the place of a system's block in its model
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/layer/layer.h"
#include "runner/models/blocks/block.h"

namespace runner {

struct CodeLayer {
  explicit CodeLayer(const lcsm::Variant& variant) : layer(variant), recurrence(variant) {}

  const lcsm::Variant& variant() const { return recurrence.variant(); }

  lcsm::Layer layer;
  lcsm::Recurrence recurrence;
};

// A layer compiled for calls, once per text.
class MadeLayer {
 public:
  explicit MadeLayer(std::string_view spec);

  const lcsm::Parameters& tensors() const { return tensors_; }
  const std::optional<CodeLayer>& code() const { return code_; }  // nullopt: a block
  const CodeLayer& expect_code() const;

  // Weights in the order of tensors().
  lcsm::BlockResult operator()(const std::vector<at::Tensor>& weights, const at::Tensor& x,
                               const lcsm::BlockContext& context) const;

  at::Tensor first_values(const lcsm::Parameter& tensor, std::uint64_t seed) const;

  // JSON: the layer's "tensors", of a code also its "symbols" and the axes of its "state".
  std::string description() const;

 private:
  std::optional<CodeLayer> code_;
  std::optional<lcsm::Block> block_;
  CompiledBlock compiled_;
  lcsm::Parameters tensors_;
};

// Throws std::invalid_argument: who, expected, got.
const MadeLayer& made_layer(const std::string& spec);

}  // namespace runner
