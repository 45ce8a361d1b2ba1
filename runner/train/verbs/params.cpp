// `lcsm-train params`: lists the tensors of a layer or of a configuration's model, with their names
// in weights files and checkpoints.
#include "runner/train/verbs/params.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lcsm/base/words.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/toml_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/run/code_argument.h"
#include "runner/data/tasks/task.h"
#include "runner/systems/blocks.h"
#include "runner/train/verbs/model_text.h"
#include "runner/train/verbs/train_verbs.h"

namespace runner {
namespace {

struct ParamsOptions {
  std::string what;  // a code, or the name of a configuration's file
  std::vector<std::string> files, settings;
  lcsm::Sizes sizes;
  std::int64_t vocab = 0;
  bool json = false;
};

std::string shape_of(const lcsm::Parameter& parameter) {
  return fmt::format("[{}]", fmt::join(parameter.shape, ","));
}

void print_json(const std::vector<lcsm::Parameter>& parameters) {
  nlohmann::ordered_json json = {{"schema", "lcsm-train.params/1"},
                                 {"parameters", nlohmann::json::array()}};
  for (const lcsm::Parameter& p : parameters)
    json["parameters"].push_back({{"name", p.name},
                                  {"shape", p.shape},
                                  {"init", lcsm::start_text(p)},
                                  {"learned", p.learned},
                                  {"group", lcsm::to_string(lcsm::group_of(p))},
                                  {"of_gate", p.of_gate}});
  fmt::print("{}", printed_json(json));
}

void print_table(const std::vector<lcsm::Parameter>& parameters) {
  for (const lcsm::Parameter& p : parameters)
    fmt::print("{:<31} {:<13} {:<10}{}{}\n", p.name, shape_of(p),
               lcsm::to_string(lcsm::group_of(p)), lcsm::start_text(p),
               p.learned ? "" : "  (not learned)");
}

// The tensors of a block, from its name and the settings behind "@": "bidirectional=true".
lcsm::Parameters parameters_of_block(const lcsm::BlockRow& row, std::string_view settings,
                                     std::int64_t d) {
  lcsm::Options options = lcsm::options_of(row);
  while (!settings.empty()) options.set(std::string(lcsm::take_until(&settings, ',')));
  return lcsm::tensors_of(lcsm::make_block(row, options, d));
}

void show_with_total(const ParamsOptions& options, const lcsm::Parameters& parameters) {
  if (options.json) return print_json(parameters);
  print_table(parameters);
  std::int64_t count = 0;
  for (const lcsm::Parameter& p : parameters) count += p.count();
  fmt::print("{:<32}{}\n", "total", count);
}

std::int64_t vocabulary(const RunConfig& config) {
  const TaskCount count = task_of(config).vocabulary(config);
  if (count.exact) return count.value;
  throw std::invalid_argument("the vocabulary size depends on the texts: set it with --vocab");
}

void show_model(const ParamsOptions& options) {
  const std::string text = options.what.empty() ? "" : read_toml_file(options.what);
  const RunConfig config = parse_config(
      text, options.what, options.settings,
      [](const std::string& what) { print_safe("lcsm-train params: ignored: " + what + "\n"); });
  for (const std::string& note : config.notes()) print_safe("lcsm-train params: " + note + "\n");
  const ModelPlan plan = plan_model(config, options.vocab > 0 ? options.vocab : vocabulary(config));
  options.json ? print_json(tensors_of(plan)) : fmt::print("{}", model_text(plan));
}

void show_layer(const ParamsOptions& options) {
  if (!options.settings.empty())
    throw std::invalid_argument(
        "--set applies to a model: expected a TOML file or no argument, got '" + options.what +
        "'");
  std::string_view settings = options.what;
  const std::string_view name = lcsm::take_until(&settings, '@');
  if (system_named(name) != nullptr)
    return show_with_total(options, parameters_of(parse_system(options.what), options.sizes.d));
  if (const lcsm::BlockRow* block = block_named(name))
    return show_with_total(options, parameters_of_block(*block, settings, options.sizes.d));
  const CodeArgument argument = read_code(options.what, options.files);
  const auto parameters =
      lcsm::tensors_of(lcsm::make_variant(argument.code, argument.catalogue, options.sizes));
  options.json ? print_json(parameters) : print_table(parameters);
}

void show(const ParamsOptions& options) {
  const bool model =
      options.what.ends_with(".toml") || (options.what.empty() && !options.settings.empty());
  if (!model && options.what.empty())
    throw Failure(ExitCode::kUsage, "expected a code or a configuration's file, got none");
  model ? show_model(options) : show_layer(options);
}

}  // namespace

std::vector<lcsm::Parameter> parameters_of(const System& system, std::int64_t d) {
  std::vector<lcsm::Parameter> parameters;
  const auto add = [&](const std::string& part, const lcsm::Block& block) {
    for (lcsm::Parameter& tensor : lcsm::tensors_of(block)) {
      tensor.name = (tensor.shared ? "shared." : "") + part + tensor.name;
      parameters.push_back(std::move(tensor));
    }
  };
  add("mixer.", mixer_of(system, d));
  if (const auto feed = feed_of(system, d)) add("feed.", *feed);
  return parameters;
}

void add_params(Verb& program) {
  Verb& verb = program.verb(
      "params", "Print the tensors of a layer or of a model: names, shapes, initial values");
  ParamsOptions& options = verb.runs(show);
  verb.argument(
      "what", &options.what,
      "A layer, such as 1-9-1-4@tau=8, mamba@state=8 or ces, or a configuration, NAME.toml");
  verb.option("--set", &options.settings, "For a model: override a value of the file")
      .type("KEY=VALUE");
  verb.option("--vocab", &options.vocab, "For a model: vocabulary size").range(1, 1 << 24);
  verb.option("--d", &options.sizes.d, "Channels").range(1, 1 << 20);
  verb.option("--k", &options.sizes.k, "Memory rows").range(1, 1 << 20);
  verb.option("--file", &options.files, "A TOML file with custom oscillations").existing_file();
  verb.flag("--json", &options.json, "Print JSON (schema lcsm-train.params/1)");
  verb.footer(
      "Examples:\n  lcsm-train params 1-9-1-4 --d 64 --k 16\n"
      "  lcsm-train params mamba --d 64\n"
      "  lcsm-train params my.toml --set model.d=128\n"
      "  lcsm-train params --set task.name=mqar --set model.code=1-1-1-0");
}

}  // namespace runner
