// The file that `lcsm-train apply` reads and writes: "input" [B, T, D], "weight.NAME", optionally
// "grad_output" and a layer's other inputs; "output" and "grad.NAME".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lcsm/tensors/safetensors.h"

namespace runner {

// The tensor, undefined if there is none.
at::Tensor take(const lcsm::SafeTensors& file, const std::string& name);

// All tensors "PREFIX.NAME", by NAME.
std::map<std::string, at::Tensor> take_all(const lcsm::SafeTensors& file,
                                           const std::string& prefix);

// Throws std::invalid_argument for a tensor that is not in the list; "weight." stands for all
// weights.
void refuse_unknown(const lcsm::SafeTensors& file, const std::vector<std::string>& known);

// "input" [B, T, D].
at::Tensor checked_input(const lcsm::SafeTensors& file);

// "grad.NAME" of each input, for the output's gradient.
void put_gradients(lcsm::SafeTensors& result, const at::Tensor& output,
                   const at::Tensor& grad_output, const std::map<std::string, at::Tensor>& inputs);

}  // namespace runner
