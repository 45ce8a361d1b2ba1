#include "runner/train/verbs/apply_inner.h"

#include "runner/models/blocks/inner.h"
#include "runner/train/verbs/layer_file.h"

namespace runner {

lcsm::SafeTensors apply_inner(const InnerRow& row, const std::vector<std::string>& settings,
                              const lcsm::SafeTensors& file, lcsm::Backend backend) {
  lcsm::Options options(row.name, row.options());
  for (const std::string& setting : settings) options.set(setting);
  std::vector<std::string> known = {"grad_output"};
  for (const InnerInput& input : row.inputs) known.emplace_back(input.name);
  refuse_unknown(file, known);

  std::map<std::string, at::Tensor> given;
  for (const InnerInput& input : row.inputs)
    if (const at::Tensor x = take(file, std::string(input.name)); x.defined())
      given[std::string(input.name)] = x;
  const at::Tensor grad_output = take(file, "grad_output");
  if (grad_output.defined())
    for (auto& [name, tensor] : given)
      if (at::isFloatingType(tensor.scalar_type())) tensor.requires_grad_();
  const at::Tensor output =
      inner_forward(row, options, InnerInputs(given.begin(), given.end()), backend);
  lcsm::SafeTensors result;
  result.metadata["recurrence"] = std::string(row.name);
  result.tensors["output"] = output.detach().contiguous();
  if (grad_output.defined()) put_gradients(result, output, grad_output, given);
  return result;
}

}  // namespace runner
