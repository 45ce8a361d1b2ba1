#include "runner/train/verbs/apply_family.h"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>

#include "ets/layer/layer.h"
#include "runner/models/blocks/block.h"
#include "runner/train/verbs/layer_file.h"

namespace runner {
namespace {

using at::Tensor;

// Sizes that are not set come from the tensors, where they have an effect.
void set_sizes(lcsm::Options& options, const lcsm::Weights& weights) {
  for (const lcsm::OptionRow& row : options.rows()) {
    if (row.tensor.empty() || options.is_set(row.name) || !options.has_effect(row)) continue;
    const auto found = weights.find(std::string(row.tensor));
    if (found == weights.end() || found->second.dim() <= static_cast<std::int64_t>(row.axis))
      continue;
    options.set(row.name, std::to_string(found->second.size(static_cast<int>(row.axis))));
  }
}

// The channels of a file without an input, from a tensor with a row or column per channel. The
// kernel of tnn does not depend on the layer's channels.
std::int64_t channels_of(const lcsm::Weights& weights) {
  constexpr std::array<std::pair<const char*, int>, 7> kAxes = {{{"shrink", 1},
                                                                 {"log_rate", 1},
                                                                 {"smoothing_logit", 1},
                                                                 {"gate.weight", 1},
                                                                 {"value.weight", 1},
                                                                 {"output.weight", 0},
                                                                 {"coefficient.weight", 0}}};
  for (const auto& [name, axis] : kAxes)
    if (const auto found = weights.find(name); found != weights.end() && found->second.dim() > 1)
      return found->second.size(axis);
  throw std::invalid_argument("expected the weights of a kernel, got none with a row per channel");
}

Tensor checked_padding(const lcsm::SafeTensors& file, const Tensor& x) {
  const Tensor padding = take(file, "padding_mask");
  if (padding.defined() && (padding.scalar_type() != at::kBool || padding.dim() != 2 ||
                            padding.size(0) != x.size(0) || padding.size(1) != x.size(1)))
    throw std::invalid_argument("expected 'padding_mask' [B, T] of bool, got " +
                                c10::str(padding.scalar_type(), " ", padding.sizes()));
  return padding;
}

Tensor checked_residual(const lcsm::SafeTensors& file, const Tensor& x) {
  const Tensor residual = take(file, "residual");
  if (residual.defined() &&
      (residual.scalar_type() != x.scalar_type() || residual.sizes() != x.sizes()))
    throw std::invalid_argument("expected 'residual' like 'input', " +
                                c10::str(x.scalar_type(), " ", x.sizes()) + ", got " +
                                c10::str(residual.scalar_type(), " ", residual.sizes()));
  return residual;
}

void refuse_input(const lcsm::SafeTensors& file) {
  refuse_unknown(file, {"weight.", "grad_output"});
  if (take(file, "weight.").defined()) throw std::invalid_argument("tensor 'weight.' has no name");
}

// The block for these tensors and a width.
using MakeBlock = std::function<lcsm::Block(const lcsm::Weights& weights, std::int64_t d)>;

lcsm::SafeTensors apply_block(const MakeBlock& make, const lcsm::SafeTensors& file,
                              ets::FilterMachine machine, std::int64_t kernel) {
  const lcsm::Weights weights = take_all(file, "weight.");
  const lcsm::BlockState state = take_all(file, "state.");
  const Tensor grad_output = take(file, "grad_output");
  Tensor x, padding, residual;
  if (kernel > 0) {
    refuse_input(file);
  } else {
    refuse_unknown(file, {"input", "weight.", "grad_output", "padding_mask", "residual", "state."});
    x = checked_input(file);
    padding = checked_padding(file, x);
    residual = checked_residual(file, x);
  }
  const lcsm::Block variant = make(weights, kernel > 0 ? channels_of(weights) : x.size(2));
  if (weights.empty()) throw std::invalid_argument("expected tensors 'weight.NAME', got none");
  lcsm::check_weights(variant, weights,
                      kernel > 0 ? weights.begin()->second.scalar_type() : x.scalar_type(),
                      kernel > 0);

  std::map<std::string, Tensor> inputs;  // these get a gradient
  if (grad_output.defined()) {
    if (x.defined()) inputs["input"] = x;
    if (residual.defined()) inputs["residual"] = residual;
    for (const auto& [name, tensor] : state) inputs["state." + name] = tensor;
    for (const auto& [name, tensor] : weights) inputs["weight." + name] = tensor;
    for (auto& [name, tensor] : inputs) tensor.requires_grad_();
  }
  const lcsm::BlockResult layer =
      kernel > 0 ? lcsm::BlockResult{ets::layer_kernel(variant, weights, kernel, machine), {}}
                 : block_forward(variant, weights, x,
                                 {.padding = padding,
                                  .state = state,
                                  .backend = backend_of(machine),
                                  .residual = residual},
                                 machine);
  lcsm::SafeTensors result;
  result.tensors["output"] = layer.output.detach();
  for (const auto& [name, tensor] : layer.state)
    result.tensors["final_state." + name] = tensor.detach();
  if (grad_output.defined()) put_gradients(result, layer.output, grad_output, inputs);
  return result;
}

constexpr std::array kMixerParts = {"weight.mixer.", "weight.shared.mixer."};
constexpr std::array kFeedParts = {"weight.feed.", "weight.shared.feed."};

bool has_part(const lcsm::SafeTensors& file, const std::array<const char*, 2>& parts) {
  return std::ranges::any_of(file.tensors, [&](const auto& named) {
    return named.first.starts_with(parts[0]) || named.first.starts_with(parts[1]);
  });
}

}  // namespace

lcsm::SafeTensors apply_family(const lcsm::BlockRow& family,
                               const std::vector<std::string>& settings,
                               const lcsm::SafeTensors& file, ets::FilterMachine machine,
                               std::int64_t kernel) {
  const auto make = [&](const lcsm::Weights& weights, std::int64_t d) {
    lcsm::Options options = lcsm::options_of(family);
    for (const std::string& setting : settings) options.set(setting);
    set_sizes(options, weights);
    return lcsm::make_block(family, options, d);
  };
  lcsm::SafeTensors result = apply_block(make, file, machine, kernel);
  result.metadata["family"] = std::string(family.name);
  return result;
}

bool has_parts_of_a_system(const lcsm::SafeTensors& file) {
  return has_part(file, kMixerParts) || has_part(file, kFeedParts);
}

lcsm::SafeTensors apply_system(System system, const lcsm::SafeTensors& file,
                               ets::FilterMachine machine, std::int64_t kernel) {
  const std::string name(system.row->name);
  const bool feeds = has_part(file, kFeedParts);
  if (feeds && has_part(file, kMixerParts))
    throw std::invalid_argument(name +
                                ": expected tensors of the mixer or of the feed, got both: norms "
                                "and residuals stand between them, so apply one at a time");
  if (feeds && !system.feed)
    throw std::invalid_argument(name + ": nothing follows its mixer: expected 'weight.mixer.NAME'");
  lcsm::SafeTensors plain;
  std::map<std::string, std::string> given;  // by the names without the part
  for (const auto& [whole, tensor] : file.tensors) {
    std::string short_name = whole;
    for (const std::string_view part : feeds ? kFeedParts : kMixerParts)
      if (whole.starts_with(part)) short_name = "weight." + whole.substr(part.size());
    plain.tensors[short_name] = tensor;
    given["grad." + short_name] = "grad." + whole;
  }
  const auto make = [&](const lcsm::Weights& weights, std::int64_t d) {
    set_sizes(feeds ? *system.feed : system.mixer, weights);
    return feeds ? *feed_of(system, d) : mixer_of(system, d);
  };
  lcsm::SafeTensors result;
  for (auto& [short_name, tensor] : apply_block(make, plain, machine, kernel).tensors) {
    const auto found = given.find(short_name);
    result.tensors[found == given.end() ? short_name : found->second] = tensor;
  }
  result.metadata["system"] = to_string(system);
  return result;
}

}  // namespace runner
