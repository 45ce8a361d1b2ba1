#include "runner/train/verbs/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ets/families/family.h"
#include "lcsm/base/nearest.h"
#include "lcsm/layer/layer.h"
#include "runner/config/run/code_argument.h"
#include "runner/systems/blocks.h"
#include "runner/systems/inner.h"
#include "runner/train/verbs/apply_family.h"
#include "runner/train/verbs/apply_inner.h"
#include "runner/train/verbs/layer_file.h"
#include "runner/train/verbs/train_verbs.h"

namespace runner {
namespace {

using at::Tensor;

struct ApplyOptions {
  std::string layer, weights, out, machine = "cpu";
  std::vector<std::string> files, settings;
  int kernel = 0;
};

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
  // A code without e and s has its rows in the gate's own tensors.
  for (const lcsm::Parameter& each : lcsm::tensors_of(lcsm::make_variant(code, catalogue, sizes)))
    if (const auto found = weights.find(each.name);
        lcsm::over_k(each.axes) && found != weights.end() && found->second.dim() > 0)
      sizes.k = static_cast<int>(found->second.size(0));
  return lcsm::make_variant(code, catalogue, sizes);
}

}  // namespace

lcsm::SafeTensors apply_layer(const lcsm::Code& code, const lcsm::Catalogue& catalogue,
                              const lcsm::SafeTensors& file, lcsm::Backend backend) {
  refuse_unknown(file, {"input", "weight.", "grad_output", "state", "state.log_sum"});
  const Tensor x = checked_input(file), grad_output = take(file, "grad_output");
  lcsm::State state{take(file, "state"), take(file, "state.log_sum")};
  const lcsm::Weights weights = take_all(file, "weight.");
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
  const lcsm::LayerResult layer = lcsm::Layer(variant)(weights, x, state, backend);
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

lcsm::SafeTensors applied_code(const ApplyOptions& options, const lcsm::SafeTensors& file) {
  if (!options.settings.empty())
    throw std::invalid_argument("--set is for families: options of a code follow it, as in " +
                                options.layer + "@tau=8");
  if (options.kernel > 0)
    throw std::invalid_argument("--kernel is for families: a code has no kernel");
  const CodeArgument argument = read_code(options.layer, options.files);
  return apply_layer(
      argument.code, argument.catalogue, file,
      options.machine == "cpu" ? lcsm::Backend::kMachine : lcsm::Backend::kReference);
}

lcsm::SafeTensors applied_inner(const InnerRow& row, const ApplyOptions& options) {
  if (options.kernel > 0 || (options.machine != "cpu" && options.machine != "reference"))
    throw std::invalid_argument(fmt::format(
        "{}: a recurrence alone has no kernel, and runs on cpu or reference", row.name));
  return apply_inner(row, options.settings, lcsm::read_safetensors(options.weights),
                     backend_of(ets::machine_named(options.machine)->machine));
}

// Some blocks share their name with their recurrence, which has no weights.
bool is_of_a_block(const lcsm::SafeTensors& file) {
  return std::any_of(file.tensors.begin(), file.tensors.end(),
                     [](const auto& named) { return named.first.starts_with("weight."); });
}

// The system that the layer and --set name.
System system_of(const ApplyOptions& options) {
  std::string text = options.layer;
  for (const std::string& setting : options.settings)
    text += (text.find('@') == std::string::npos ? "@" : ",") + setting;
  return parse_system(text);
}

// A code begins with a digit or an oscillation's name; a name that resembles a layer's is not a
// code.
void refuse_misspelt(const std::string& layer) {
  std::vector<std::string> names;
  for (const SystemRow& row : system_rows()) names.emplace_back(row.name);
  for (const lcsm::BlockRow* row : all_blocks()) names.emplace_back(row->name);
  for (const InnerRow& row : inner_rows()) names.emplace_back(row.name);
  const std::string near = lcsm::did_you_mean(layer, names);
  if (layer.find('-') == std::string::npos && !near.empty())
    throw std::invalid_argument("expected a code, a system, a block or a recurrence, got '" +
                                layer + "'" + near);
}

void check_machine(const lcsm::BlockRow* family, const ApplyOptions& options) {
  if (options.machine == "cpu" || options.machine == "reference") return;
  const auto& filters = ets::family_rows();
  const bool has_filter = family != &lcsm::block_row<ets::MegaFeed> &&
                          std::find(filters.begin(), filters.end(), family) != filters.end();
  if (!has_filter)
    throw std::invalid_argument("--machine " + options.machine +
                                " is for families with a filter: expected cpu or reference for " +
                                options.layer);
  if (options.kernel > 0)
    throw std::invalid_argument("--machine " + options.machine +
                                " computes outputs: expected cpu or reference with --kernel");
}

void apply(const ApplyOptions& options) {
  const InnerRow* row = inner_named(options.layer);
  const lcsm::BlockRow* family = block_named(options.layer);
  const SystemRow* system = system_named(options.layer.substr(0, options.layer.find('@')));
  if (row == nullptr && family == nullptr && system == nullptr) refuse_misspelt(options.layer);
  if (row != nullptr && family == nullptr)
    return lcsm::write_safetensors(options.out, applied_inner(*row, options));
  check_machine(family == nullptr && system != nullptr ? system->block : family, options);
  const lcsm::SafeTensors file = lcsm::read_safetensors(options.weights);
  if (system != nullptr && (family == nullptr || has_parts_of_a_system(file)))
    return lcsm::write_safetensors(
        options.out, apply_system(system_of(options), file,
                                  ets::machine_named(options.machine)->machine, options.kernel));
  if (row != nullptr && !is_of_a_block(file))
    return lcsm::write_safetensors(options.out, applied_inner(*row, options));
  if (family == nullptr) return lcsm::write_safetensors(options.out, applied_code(options, file));
  lcsm::write_safetensors(
      options.out, apply_family(*family, options.settings, file,
                                ets::machine_named(options.machine)->machine, options.kernel));
}

void put_row(std::string& text, std::string_view name, std::string_view help,
             std::span<const lcsm::OptionRow> options) {
  text += fmt::format("  {:<17} {}\n", name, help);
  for (const lcsm::OptionRow& row : options)
    text += fmt::format(
        "    {:<17} {} (default {})\n", row.name,
        row.words.empty() ? std::string(row.help) : fmt::format("{}: {}", row.words, row.help),
        row.preset);
}

std::string families_help() {
  std::string text = "Families, and their options:\n";
  for (const lcsm::BlockRow* family : all_blocks())
    put_row(text, family->name, family->help, family->options());
  text += "Recurrences alone, and their tensors:\n";
  for (const InnerRow& row : inner_rows()) {
    put_row(text, row.name, row.help, row.options());
    text += "   ";
    for (const InnerInput& input : row.inputs)
      text += fmt::format(" {}{}", input.name, input.optional ? "?" : "");
    text += "\n";
  }
  return text;
}

}  // namespace

void add_apply(Verb& program) {
  Verb& verb = program.verb("apply", "Apply one layer to the tensors of a file");
  ApplyOptions& options = verb.runs(apply);
  verb.argument("layer", &options.layer,
                "A code, such as 1-9-1-4@tau=8, a named system, such as mega-chunk, a family or "
                "block, such "
                "as s4d or mamba, or a recurrence alone, such as gla")
      .required();
  verb.option(
          "--weights", &options.weights,
          "safetensors: input (or input.NAME), weight.NAME as lcsm-train params prints the names, "
          "optional grad_output, state, padding_mask, residual")
      .required();
  verb.option("--out", &options.out, "safetensors: output, final_state, gradients").required();
  verb.option("--machine", &options.machine, "The implementation; for a code, cpu or reference")
      .choices(choices_of(ets::machine_rows()))
      .default_shown();
  verb.option("--file", &options.files, "A TOML file with custom oscillations").existing_file();
  verb.option("--set", &options.settings, "An option of a family or system, OPTION=VALUE");
  verb.option("--kernel", &options.kernel,
              "Compute a family's kernel of this many steps; the file has no input")
      .type("STEPS")
      .range(1, 1 << 24);
  verb.footer(
      families_help() +
      "Examples:\n"
      "  lcsm-train apply 1-9-1-4 --weights in.safetensors --out out.safetensors\n"
      "  lcsm-train apply mega-chunk --weights in.safetensors --out out.safetensors\n"
      "  lcsm-train apply ces --set bidirectional=true --weights in.safetensors --out "
      "out.safetensors\n"
      "  lcsm-train apply gla --set scale=1 --weights in.safetensors --out out.safetensors");
}

}  // namespace runner
