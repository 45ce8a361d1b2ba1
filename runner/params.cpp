// `lcsm-train params`: the tensors of a layer, as weights files and checkpoints name them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "lcsm/variant.h"
#include "runner/code_argument.h"
#include "runner/train_verbs.h"

namespace runner {
namespace {

struct Options {
  std::string code;
  std::vector<std::string> files;
  lcsm::Sizes sizes;
  bool json = false;
};

std::string shape_of(const lcsm::Parameter& parameter) {
  std::string text;
  for (const std::int64_t size : parameter.shape)
    text += (text.empty() ? "" : ",") + std::to_string(size);
  return "[" + text + "]";
}

void print_json(const std::vector<lcsm::Parameter>& parameters) {
  nlohmann::ordered_json json = {{"schema", "lcsm-train.params/1"},
                                 {"parameters", nlohmann::json::array()}};
  for (const lcsm::Parameter& p : parameters)
    json["parameters"].push_back({{"name", p.name},
                                  {"shape", p.shape},
                                  {"init", lcsm::to_string(p.init)},
                                  {"learned", p.learned},
                                  {"group", lcsm::to_string(lcsm::group_of(p))},
                                  {"of_gate", p.of_gate}});
  fmt::print("{}\n", json.dump(2));
}

void print_table(const std::vector<lcsm::Parameter>& parameters) {
  for (const lcsm::Parameter& p : parameters)
    fmt::print("{:<32}{:<14}{:<10}{}{}\n", p.name, shape_of(p), lcsm::to_string(lcsm::group_of(p)),
               lcsm::to_string(p.init), p.learned ? "" : "  (not learned)");
}

}  // namespace

void add_params(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("params", "Print a layer's tensors: names, shapes, inits");
  verb->add_option("code", options->code, "The layer, such as 1-9-1-4@tau=8")->required();
  verb->add_option("--d", options->sizes.d, "Channels")->check(CLI::Range(1, 1 << 20));
  verb->add_option("--k", options->sizes.k, "Memory rows")->check(CLI::Range(1, 1 << 20));
  verb->add_option("--file", options->files, "A TOML file with oscillations of your own")
      ->check(CLI::ExistingFile);
  verb->add_flag("--json", options->json, "Print JSON (schema lcsm-train.params/1)");
  verb->footer("Example:\n  lcsm-train params 1-9-1-4 --d 64 --k 16");
  verb->callback([options] {
    const CodeArgument argument = read_code(options->code, options->files);
    const auto parameters =
        lcsm::tensors_of(lcsm::make_variant(argument.code, argument.catalogue, options->sizes));
    options->json ? print_json(parameters) : print_table(parameters);
  });
}

}  // namespace runner
