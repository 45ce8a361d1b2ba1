// The configuration of one run: every key with its value and the place where it was set.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/code/code.h"
#include "runner/config/keys/key_name.h"
#include "runner/config/toml/config_tree.h"
#include "runner/systems/system.h"

namespace runner {

struct FamilyRow;
struct OptimizerRow;
struct TaskRow;

struct Setting {
  Value value;
  std::string set_by;  // "my.toml:3:7", "--set", "default", "default of mqar"
  bool usual = true;   // the value equals the default, wherever it was set
  bool used = true;    // the key applies, given the other keys
};

class RunConfig {
 public:
  // A key of another type does not compile.
  std::int64_t integer(IntegerKey key) const { return std::get<0>(at(key).value); }
  double real(RealKey key) const { return std::get<1>(at(key).value); }
  const std::string& text(TextKey key) const { return std::get<2>(at(key).value); }
  bool is(TextKey key, std::string_view word) const { return text(key) == word; }

  const Setting& at(AnyKey key) const { return at(index_of(key)); }
  const Setting& at(int key) const { return settings_[static_cast<std::size_t>(key)]; }
  const TaskRow& task() const;
  const FamilyRow& family() const;
  const OptimizerRow& optimizer() const;
  bool has_code() const;
  const lcsm::Code& code() const { return code_; }  // k and d are in model.k, model.d
  const std::optional<System>& system() const { return system_; }  // set if model.family = system
  // The model as the user named it: a code with the sizes in it, or a system without the recipe's
  // options; "" if neither.
  const std::string& named() const { return named_; }
  const lcsm::Catalogue& catalogue() const { return *catalogue_; }
  const std::vector<std::string>& notes() const { return notes_; }  // possible mistakes

  // The metrics of a split: the task's, and bits per character where tokens are bytes.
  std::vector<std::string> reports() const;

  // True if task.content is part of the run's identity. It is not for a task's built-in data set.
  bool needs_content() const;
  void set_content(const std::string& sha256);  // task.content, computed from the text
  void set_classes(std::int64_t classes);       // task.classes, counted in the data

  bool predicts_next() const;  // each token from the ones before it, so the model must be causal

  // model.from and model.from_content: the full id of the run whose weights this run starts from,
  // and its hash.
  void set_start(const std::string& id, const std::string& sha256);

  // The outputs of a head with its own matrix (classes or values); 0 for other heads; 2 until the
  // number of classes is known from the data.
  std::int64_t outputs() const;
  // Values per pixel, or per step of other numbers. channels(): values per step, which may be a
  // patch.
  std::int64_t picture_channels() const;
  std::int64_t channels() const;

 private:
  friend class Resolver;

  void set(AnyKey key, Value value, const char* set_by);

  std::vector<Setting> settings_;  // parallel to kConfigKeys
  std::shared_ptr<const lcsm::Catalogue> catalogue_;
  lcsm::Code code_;
  std::optional<System> system_;
  std::string named_;
  std::vector<std::string> notes_;
};

// The warning for an unused key: "model.k has no effect with model.family = attention and is
// ignored".
std::string why_unused(const RunConfig& config, int key);

// Applies defaults, a recipe, then the assignments in order, then checks the rules between keys.
// Notes every mistake; returns nothing if there is one.
std::optional<RunConfig> resolve(const std::vector<Assignment>& assignments,
                                 std::shared_ptr<const lcsm::Catalogue> catalogue,
                                 Mistakes& mistakes);

// The custom oscillations of a text, then the found ones (oscillation_search.h) with other names.
std::shared_ptr<const lcsm::Catalogue> catalogue_with(const ConfigTree& tree, Mistakes& mistakes,
                                                      void (*complain)(const std::string&));

// A text, possibly empty, and arguments of --set; throws ConfigError with every mistake.
RunConfig parse_config(std::string_view text, const std::string& name,
                       const std::vector<std::string>& settings,
                       void (*complain)(const std::string&));

// The configuration as TOML that parses back to the same configuration: used keys and the custom
// oscillation. `places`: adds to each line the place where the value was set.
std::string toml_text(const RunConfig& config, bool places);

}  // namespace runner
