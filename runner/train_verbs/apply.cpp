#include "runner/train_verbs/apply.h"

#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <set>

#include "lcsm/layer/layer.h"
#include "runner/config/code_argument.h"
#include "runner/train_verbs/train_verbs.h"

namespace runner {
namespace {

using at::Tensor;

struct Options {
  std::string code, weights, out, machine = "cpu";
  std::vector<std::string> files;
};

constexpr std::string_view kWeight = "weight.";

Tensor take(const lcsm::SafeTensors& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  return found == file.tensors.end() ? Tensor() : found->second;
}

void refuse_unknown(const lcsm::SafeTensors& file) {
  static const std::set<std::string> known = {"input", "grad_output", "state", "state.log_sum"};
  for (const auto& [name, tensor] : file.tensors)
    if (!known.contains(name) && !name.starts_with(kWeight))
      throw std::invalid_argument("tensor '" + name +
                                  "' has no meaning here: expected input, weight.NAME, "
                                  "grad_output, state, state.log_sum");
}

Tensor checked_input(const lcsm::SafeTensors& file) {
  const Tensor x = take(file, "input");
  if (!x.defined() || x.dim() != 3 || x.numel() == 0 || !at::isFloatingType(x.scalar_type()))
    throw std::invalid_argument("expected a floating tensor 'input' [B, T, D], got " +
                                (x.defined() ? c10::str(x.scalar_type(), " ", x.sizes()) : "none"));
  return x;
}

// The tensors determine the sizes; those in the code must agree.
lcsm::Variant sized_variant(lcsm::Code code, const lcsm::Catalogue& catalogue,
                            const lcsm::Weights& weights, const Tensor& x) {
  lcsm::Sizes sizes{static_cast<int>(x.size(2)), lcsm::Sizes{}.k};
  if (code.d && *code.d != sizes.d)
    throw std::invalid_argument(
        fmt::format("the code says d={}, 'input' has {} channels", *code.d, sizes.d));
  for (const char* name : {"expand.weight", "expand.matrix", "shrink.weight", "shrink.matrix"})
    if (const auto found = weights.find(name); found != weights.end() && found->second.dim() == 2)
      sizes.k = static_cast<int>(found->second.size(0));
  for (const auto& [name, tensor] : weights)
    if (name.ends_with(".down.weight") && tensor.dim() == 2 && !code.r)
      code.r = static_cast<int>(tensor.size(0));
  return lcsm::make_variant(code, catalogue, sizes);
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

}  // namespace

lcsm::SafeTensors apply_layer(const lcsm::Code& code, const lcsm::Catalogue& catalogue,
                              const lcsm::SafeTensors& file, lcsm::Backend backend) {
  refuse_unknown(file);
  const Tensor x = checked_input(file), grad_output = take(file, "grad_output");
  lcsm::State state{take(file, "state"), take(file, "state.log_sum")};
  lcsm::Weights weights;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with(kWeight)) weights[name.substr(kWeight.size())] = tensor;
  const lcsm::Variant variant = sized_variant(code, catalogue, weights, x);
  lcsm::check_weights(variant, weights, x);

  std::map<std::string, Tensor> inputs;  // these get a gradient
  if (grad_output.defined()) {
    inputs["input"] = x;
    if (state.m.defined()) inputs["state"] = state.m;
    if (state.log_sum.defined()) inputs["state.log_sum"] = state.log_sum;
    std::set<std::string> constants;
    for (const lcsm::Parameter& p : lcsm::tensors_of(variant))
      if (!p.learned) constants.insert(p.name);
    for (const auto& [name, tensor] : weights)
      if (!constants.contains(name)) inputs["weight." + name] = tensor;
    for (auto& [name, tensor] : inputs) tensor.requires_grad_();
  }
  const lcsm::LayerResult layer = lcsm::layer_forward(variant, weights, x, state, backend);
  lcsm::SafeTensors result;
  result.metadata["code"] = lcsm::to_string(code, catalogue);
  result.tensors["output"] = layer.output.detach();
  result.tensors["final_state"] = layer.state.m.detach();
  if (layer.state.log_sum.defined())
    result.tensors["final_state.log_sum"] = layer.state.log_sum.detach();
  if (grad_output.defined()) put_gradients(result, layer.output, grad_output, inputs);
  return result;
}

namespace {

void apply(const Options& options) {
  const CodeArgument argument = read_code(options.code, options.files);
  const lcsm::Backend backend =
      options.machine == "cpu" ? lcsm::Backend::kCpu : lcsm::Backend::kReference;
  lcsm::write_safetensors(options.out,
                          apply_layer(argument.code, argument.catalogue,
                                      lcsm::read_safetensors(options.weights), backend));
}

}  // namespace

void add_apply(Verb& program) {
  Verb& verb = program.verb("apply", "Apply one layer to the tensors of a file");
  Options& options = verb.runs(apply);
  verb.argument("code", &options.code, "The layer, such as 1-9-1-4@tau=8").required();
  verb.option("--weights", &options.weights,
              "safetensors: input, weight.NAME, optional grad_output, state")
      .required();
  verb.option("--out", &options.out, "safetensors: output, final_state, gradients").required();
  verb.option("--machine", &options.machine,
              "cpu: the machine of the code's plan; reference: the definition, step by step")
      .choices({{"cpu"}, {"reference"}})
      .default_shown();
  verb.option("--file", &options.files, "A TOML file with custom oscillations").existing_file();
  verb.footer(
      "Example:\n  lcsm-train apply 1-9-1-4 --weights in.safetensors --out out.safetensors");
}

}  // namespace runner
