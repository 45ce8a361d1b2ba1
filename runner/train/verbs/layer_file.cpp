#include "runner/train/verbs/layer_file.h"

#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/words.h"

namespace runner {

using at::Tensor;

Tensor take(const lcsm::SafeTensors& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  return found == file.tensors.end() ? Tensor() : found->second;
}

std::map<std::string, Tensor> take_all(const lcsm::SafeTensors& file, const std::string& prefix) {
  std::map<std::string, Tensor> all;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(prefix)) all[name.substr(prefix.size())] = tensor;
  return all;
}

void refuse_unknown(const lcsm::SafeTensors& file, const std::vector<std::string>& known) {
  const auto fits = [](const std::string& name, const std::string& row) {
    return row.ends_with('.') ? name.starts_with(row) : name == row;
  };
  for (const auto& [name, tensor] : file.tensors) {
    const bool found = std::any_of(known.begin(), known.end(),
                                   [&](const std::string& row) { return fits(name, row); });
    if (found) continue;
    throw std::invalid_argument("tensor '" + name + "' has no meaning here: expected " +
                                lcsm::joined_of(known, [](const std::string& row) {
                                  return row.ends_with('.') ? row + "NAME" : row;
                                }));
  }
}

Tensor checked_input(const lcsm::SafeTensors& file) {
  const Tensor x = take(file, "input");
  if (!x.defined() || x.dim() != 3 || x.numel() == 0 || !at::isFloatingType(x.scalar_type()))
    throw std::invalid_argument("expected a floating tensor 'input' [B, T, D], got " +
                                (x.defined() ? c10::str(x.scalar_type(), " ", x.sizes()) : "none"));
  return x;
}

void put_gradients(lcsm::SafeTensors& result, const Tensor& output, const Tensor& grad_output,
                   const std::map<std::string, Tensor>& inputs) {
  if (grad_output.sizes() != output.sizes() || grad_output.scalar_type() != output.scalar_type())
    throw std::invalid_argument("expected 'grad_output' like the output, " +
                                c10::str(output.scalar_type(), " ", output.sizes()) + ", got " +
                                c10::str(grad_output.scalar_type(), " ", grad_output.sizes()));
  std::vector<Tensor> asked;
  for (const auto& [name, tensor] : inputs) asked.push_back(tensor);
  const auto gradients = torch::autograd::grad({output}, asked, {grad_output}, false, false, true);
  std::size_t n = 0;
  for (const auto& [name, tensor] : inputs) {
    const Tensor& gradient = gradients[n++];
    result.tensors["grad." + name] = gradient.defined() ? gradient : at::zeros_like(tensor);
  }
}

}  // namespace runner
