// `lcsm config`: lists all keys, or the configuration of a file and the source of each value.
#include <fmt/format.h>

#include "runner/base/files/toml_file.h"
#include "runner/base/process/stderr_text.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/data_search.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/set_option.h"
#include "runner/front/pages/config_page.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

struct ConfigOptions {
  std::string file, workspace;
  std::vector<std::string> settings;
  bool json = false;
};

constexpr const char* kConfigFooter = R"text(Examples:
  lcsm config                               every key: default, values, meaning
  lcsm config my.toml                       the run that this file configures, with line numbers
  lcsm config my.toml --set optim.lr=1e-3   with another learning rate
  lcsm config --set task.name=mqar --set model.code=1-1-1-0

A file:
  task.name = "mqar"
  model = { code = "1-1-1-0", d = 128 }
  optim.lr = 1e-3
The file may also define the custom oscillation that its code names: see 'lcsm codes --help'.)text";

void ignored_by_config(const std::string& what) {
  print_safe("lcsm config: ignored: " + what + "\n");
}

// Without its data the configuration can still be shown, but it has no run id yet.
void find_content(RunConfig& config, const std::string& workspace) {
  try {
    pin_data(config, workspace_folder(workspace));
  } catch (const DataMissing& missing) {
    print_safe(fmt::format("lcsm config: {}\n", missing.what()));
  }
}

void show_config(const ConfigOptions& options) {
  if (options.file.empty() && options.settings.empty()) {
    fmt::print("{}", options.json ? keys_json() : keys_page(out_terminal()));
    return;
  }
  const std::string text = options.file.empty() ? "" : read_toml_file(options.file);
  RunConfig config = parse_config(text, options.file, options.settings, ignored_by_config);
  find_content(config, options.workspace);
  for (const std::string& note : config.notes()) print_safe("lcsm config: " + note + "\n");
  fmt::print("{}", options.json ? config_json(config) : config_page(config, out_terminal()));
}

}  // namespace

void add_config(Verb& program) {
  Verb& verb =
      program.verb("config", "List the configuration keys, or show a file's configuration");
  ConfigOptions& options = verb.runs(show_config);
  verb.argument("file", &options.file, "A run's configuration file").type("FILE").existing_file();
  add_set_option(verb, &options.settings, "Override a value of the file");
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.config/1, lcsm.keys/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kConfigFooter);
}

}  // namespace runner
