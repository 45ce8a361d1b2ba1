// One run's configuration: every key with its value and the place that set it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/code.h"
#include "runner/config/config_keys.h"
#include "runner/config/config_tree.h"
#include "runner/config/task_rows.h"

namespace runner {

struct Setting {
  Value value;
  std::string set_by;  // "my.toml:3:7", "--set", "default", "default of mqar"
  bool usual = true;   // the value is the default, whoever set it
  bool used = true;    // it has a meaning beside the others
};

class RunConfig {
 public:
  // A key that does not stand in the table does not compile.
  std::int64_t integer(IntegerKey key) const { return std::get<0>(at(key.index).value); }
  double real(RealKey key) const { return std::get<1>(at(key.index).value); }
  const std::string& text(TextKey key) const { return std::get<2>(at(key.index).value); }
  bool is(TextKey key, std::string_view word) const { return text(key) == word; }

  const Setting& at(int key) const { return settings_[static_cast<std::size_t>(key)]; }
  const TaskRow& task() const { return *task_row(text("task.name")); }
  const lcsm::Code& code() const { return code_; }  // of family eos; k and d stand in model.k, .d
  const lcsm::Catalogue& catalogue() const { return *catalogue_; }
  const std::vector<std::string>& notes() const { return notes_; }  // what may not be meant

  void set_content(const std::string& sha256);  // task.content, found by reading the text

 private:
  friend class Resolver;
  std::vector<Setting> settings_;  // as kConfigKeys
  std::shared_ptr<const lcsm::Catalogue> catalogue_;
  lcsm::Code code_;
  std::vector<std::string> notes_;
};

// Of a key that is not used: "model.k has no meaning with model.family = attention and is left
// out".
std::string why_unused(const RunConfig& config, int key);

// The default of a key beside a task: the task's own, else the table's. `task` may be null.
const std::optional<Value>& usual_value(int key, const TaskRow* task);

// Defaults, then the assignments in their order, then the rules between keys. Notes every mistake;
// nothing is returned when there is one.
std::optional<RunConfig> resolve(const std::vector<Assignment>& assignments,
                                 std::shared_ptr<const lcsm::Catalogue> catalogue,
                                 Mistakes& mistakes);

// The catalogue with a text's own oscillations in front of those found (oscillation_search.h).
std::shared_ptr<const lcsm::Catalogue> catalogue_with(const ConfigTree& tree, Mistakes& mistakes,
                                                      void (*complain)(const std::string&));

// A text, or none, and words of --set; throws ConfigError with every mistake.
RunConfig parse_config(std::string_view text, const std::string& name,
                       const std::vector<std::string>& settings,
                       void (*complain)(const std::string&));

// The configuration as a TOML text that reads back to the same: tables, used keys, the
// oscillation. `places`: each line ends in the place that set the value.
std::string toml_text(const RunConfig& config, bool places);

}  // namespace runner
