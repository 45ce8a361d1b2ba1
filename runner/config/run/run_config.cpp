#include "runner/config/run/run_config.h"

#include <algorithm>
#include <utility>

#include "lcsm/base/words.h"
#include "lcsm/code/variant.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/optimizer_rows.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/run/recipe_use.h"
#include "runner/config/run/run_config_rules.h"
#include "runner/config/run/system_hint.h"

namespace runner {
class Resolver {
 public:
  Resolver(std::shared_ptr<const lcsm::Catalogue> catalogue, Mistakes& mistakes)
      : mistakes_(mistakes), origins_(kConfigKeys.size()) {
    config_.catalogue_ = std::move(catalogue);
  }

  std::optional<RunConfig> resolve(const std::vector<Assignment>& assignments) {
    find_recipe(assignments);
    place_values(assignments);
    choose_system();
    note_missing();
    mark_unused();
    if (used("model.code"_key) && !empty("model.code"_key)) read_code();
    const RuleFinder finder(config_, origins_, mistakes_);
    finder.check();
    if (mistakes_.any()) return std::nullopt;
    compare_with_usual();
    note_unused();
    finder.add_notes(config_.notes_);
    return std::move(config_);
  }

 private:
  Setting& at(AnyKey key) { return config_.settings_[static_cast<std::size_t>(index_of(key))]; }
  Origin& origin(AnyKey key) { return origins_[static_cast<std::size_t>(index_of(key))]; }
  bool used(AnyKey key) { return at(key).used; }
  bool empty(AnyKey key) { return std::get<2>(at(key).value).empty(); }

  void find_recipe(const std::vector<Assignment>& assignments) {
    const Assignment *task = nullptr, *recipe = nullptr;
    for (const Assignment& each : assignments) {
      if (each.key == index_of("task.name"_key) && each.value) task = &each;
      if (each.key == index_of("recipe"_key) && each.value) recipe = &each;
      names_model_ = names_model_ || each.key == index_of("model.family"_key) ||
                     each.key == index_of("model.code"_key) ||
                     each.key == index_of("model.system"_key);
    }
    if (task != nullptr) task_ = task_row(std::get<2>(*task->value));
    if (recipe == nullptr || std::get<2>(*recipe->value).empty()) return;
    try {
      recipe_ = &recipe_named(std::get<2>(*recipe->value), task_ == nullptr ? "" : task_->name);
      task_ = task_row(recipe_->task);
    } catch (const std::invalid_argument& error) {
      mistakes_.note(recipe->place, error.what());
    }
  }

  void place_recipe() {
    const RecipeUse& use = use_of(*recipe_);
    for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
      const bool names = kConfigKeys[i].name == model_key(*recipe_);
      if (!use.values[i] || (names_model_ && names)) continue;
      config_.settings_[i].value = *use.values[i];
      config_.settings_[i].set_by = use.said_by[i];
    }
  }

  void place_values(const std::vector<Assignment>& assignments) {
    const TaskRow* task = task_;
    usual_ = &usual_of(task);
    config_.settings_.reserve(kConfigKeys.size());
    for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
      config_.settings_.push_back(
          {usual_->values[i].value_or(std::string()),
           usual_->of_task[i] ? "default of " + std::string(task->name) : "default"});
    if (recipe_ != nullptr) place_recipe();
    for (const Assignment& each : assignments) set(each);
  }

  bool was_set(AnyKey key) { return origin(key).place.source >= 0; }

  // A system's name takes precedence where a code may stand, unless model.system is set later; its
  // reading is a code.
  void choose_system() {
    if (origin("model.system"_key).refused || origin("model.family"_key).refused) return;
    const bool is_later = origin("model.system"_key).place < origin("model.code"_key).place;
    if (!was_set("model.family"_key) && is_later &&
        names_system(config_.text("model.code"_key), config_.catalogue())) {
      at("model.system"_key).value = at("model.code"_key).value;
      at("model.system"_key).set_by = at("model.code"_key).set_by;
      origin("model.system"_key) = std::exchange(origin("model.code"_key), Origin{});
    }
    if (!was_set("model.family"_key) && !empty("model.system"_key)) {
      at("model.family"_key).value = std::string("system");
      at("model.family"_key).set_by = at("model.system"_key).set_by;
    }
    const bool by_system = std::get<2>(at("model.family"_key).value) == "system";
    if (by_system && !empty("model.system"_key)) read_system();
    if (!by_system && recipe_ != nullptr) leave_skeleton();
  }

  // A recipe's skeleton is the one of its system's authors, so other models drop it.
  void leave_skeleton() {
    if (was_set("model.skeleton"_key) || !config_.is("model.skeleton"_key, "source")) return;
    const auto key = static_cast<std::size_t>(index_of("model.skeleton"_key));
    at("model.skeleton"_key).value = *usual_->values[key];
    at("model.skeleton"_key).set_by = "default, as the recipe's is of named systems";
  }

  void read_system() {
    const std::string text = config_.text("model.system"_key);
    try {
      System system = parse_system(text);
      if (system.as_read) {
        at("model.family"_key).value = std::string("eos");
        at("model.code"_key).value = std::string(system.row->reading.code);
        at("model.code"_key).set_by = "reading of " + text;
        origin("model.code"_key) = std::exchange(origin("model.system"_key), Origin{});
        return;
      }
      config_.named_ = to_string(system);
      if (recipe_ != nullptr) add_recipe(system);
      at("model.system"_key).value = to_string(system);
      config_.system_ = std::move(system);
    } catch (const std::invalid_argument& error) {
      origin("model.system"_key).refused = true;
      mistakes_.note(origin("model.system"_key).place,
                     std::string("model.system: ") + error.what());
    }
  }

  void add_recipe(System& system) {
    SystemByRecipe whole = with_recipe(system, *recipe_);
    if (whole.said_by.empty()) return;
    config_.named_ = as_given(system);
    at("model.system"_key).set_by += "; " + whole.said_by;
    system = std::move(whole.system);
  }

  void set(const Assignment& assignment) {
    Setting& setting = config_.settings_[static_cast<std::size_t>(assignment.key)];
    if (assignment.value) setting.value = *assignment.value;
    setting.set_by = mistakes_.text_of(assignment.place);
    origins_[static_cast<std::size_t>(assignment.key)] = {assignment.place, !assignment.value,
                                                          assignment.inside};
  }

  // Notes keys without default that are not set.
  void note_missing() {
    for (const AnyKey key :
         {AnyKey("task.name"_key), AnyKey("model.code"_key), AnyKey("model.system"_key)}) {
      if (applies(key_row(index_of(key))) && empty(key) && !origin(key).refused)
        mistakes_.note({},
                       key_name(key) + " is missing: expected " + wanted(key_row(index_of(key))));
    }
  }

  bool applies(const ConfigKey& key) {
    if (key.only.empty()) return true;
    const int other = key_index(decided_by(key));
    return applies(key_row(other)) && applies_with(key, std::get<2>(config_.at(other).value));
  }

  void mark_unused() {
    for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
      config_.settings_[i].used = applies(kConfigKeys[i]);
  }

  void note_unused() {
    for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
      if (config_.settings_[i].used || origins_[i].place.source < 0) continue;
      config_.notes_.push_back(config_.settings_[i].set_by + ": " +
                               why_unused(config_, static_cast<int>(i)));
    }
  }

  // Parses the code and moves its sizes to model.k and model.d.
  void read_code() {
    try {
      config_.code_ = lcsm::parse_code(config_.text("model.code"_key), config_.catalogue());
    } catch (const lcsm::CodeError& error) {
      Place place = origin("model.code"_key).place;
      const int inside = origin("model.code"_key).inside;
      if (inside >= 0) place.column += static_cast<std::size_t>(inside) + error.column - 1;
      const std::string& code = config_.text("model.code"_key);
      const std::string why =
          code.find_first_of("*{") == code.npos
              ? with_system_hint(error.what(), code)
              : "expected one code, got a pattern: write it in a list of a sweep, [\"" + code +
                    "\"]";
      return mistakes_.note(place, "model.code: " + why, error.unknown);
    }
    const std::optional<int> k = config_.code_.k, d = config_.code_.d;
    move_size(config_.code_.k, "model.k"_key);
    move_size(config_.code_.d, "model.d"_key);
    drop_usual_rank();
    config_.named_ = lcsm::to_string(config_.code_, config_.catalogue());
    at("model.code"_key).value = config_.named_;
    if (!k && !d) return;
    lcsm::Code named = config_.code_;
    named.k = k, named.d = d;
    config_.named_ = lcsm::to_string(named, config_.catalogue());
  }

  void move_size(std::optional<int>& size, IntegerKey key) {
    if (!size) return;
    const std::string name = key_name(key);
    const Place other = origin(key).place, own = origin("model.code"_key).place;
    if (other.source >= 0 && config_.integer(key) != *size)
      return mistakes_.note(std::max(other, own),
                            "model.code sets " + name.substr(6) + " = " + std::to_string(*size) +
                                ", but " + name + " is " + std::to_string(config_.integer(key)) +
                                ": remove one");
    set({index_of(key), own, std::int64_t{*size}});
    size.reset();
  }

  void drop_usual_rank() {
    if (!config_.code_.r) return;
    lcsm::Code plain = config_.code_;
    plain.r.reset();
    const lcsm::Sizes sizes{static_cast<int>(config_.integer("model.d"_key)),
                            static_cast<int>(config_.integer("model.k"_key))};
    const lcsm::Variant variant = lcsm::make_variant(plain, config_.catalogue(), sizes);
    for (const auto& [symbol, rank] : variant.oscillation.ranks)
      if (variant.rank(symbol) != *config_.code_.r) return;
    config_.code_ = plain;
  }

  void compare_with_usual() {
    for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
      config_.settings_[i].usual = usual_->values[i] == config_.settings_[i].value;
  }

  RunConfig config_;
  Mistakes& mistakes_;
  std::vector<Origin> origins_;
  const UsualValues* usual_ = nullptr;
  const TaskRow* task_ = nullptr;
  const PaperRecipe* recipe_ = nullptr;
  bool names_model_ = false;  // an assignment names the model
};

bool RunConfig::needs_content() const {
  const bool own = at("task.data"_key).used && text("task.data"_key).empty();
  return at("task.content"_key).used && (!own || !text("task.content"_key).empty());
}

void RunConfig::set(AnyKey key, Value value, const char* set_by) {
  Setting& setting = settings_[static_cast<std::size_t>(index_of(key))];
  setting = {std::move(value), set_by, false, setting.used};
}

void RunConfig::set_content(const std::string& sha256) {
  set("task.content"_key, sha256, "the file's content");
}

void RunConfig::set_classes(std::int64_t classes) {
  set("task.classes"_key, classes, "the data's labels");
}

bool RunConfig::predicts_next() const {
  const bool masked = at("task.masked"_key).used && real("task.masked"_key) > 0;
  return task().head == "tokens" && !masked;
}

void RunConfig::set_start(const std::string& id, const std::string& sha256) {
  set("model.from"_key, id, "the run that it starts from");
  set("model.from_content"_key, sha256, "the run that it starts from");
}

std::int64_t RunConfig::picture_channels() const {
  const bool coloured = at("task.colours"_key).used && is("task.colours"_key, "rgb");
  return coloured ? 3 : task().channels;
}

std::int64_t RunConfig::channels() const {
  const std::int64_t side = at("task.patch"_key).used ? integer("task.patch"_key) : 1;
  return picture_channels() * side * side;
}

std::int64_t RunConfig::outputs() const {
  if (!at("task.classes"_key).used) return task().outputs;
  return std::max<std::int64_t>(2, integer("task.classes"_key));
}

std::vector<std::string> RunConfig::reports() const {
  std::vector<std::string> metrics = lcsm::words_of(task().reports);
  if (task().reader == "text" && is("task.tokens"_key, "bytes") && !lcsm::has_word(metrics, kBits))
    metrics.emplace_back(kBits);
  return metrics;
}

const TaskRow& RunConfig::task() const { return *task_row(text("task.name"_key)); }

const FamilyRow& RunConfig::family() const {
  return *lcsm::row_named(kFamilyRows, text("model.family"_key));
}

const OptimizerRow& RunConfig::optimizer() const {
  return *lcsm::row_named(kOptimizerRows, text("optim.name"_key));
}

bool RunConfig::has_code() const { return at("model.code"_key).used; }

std::string why_unused(const RunConfig& config, int key) {
  const std::string other(decided_by(key_row(key)));
  return key_name(key) + " has no effect with " + other + " = " +
         std::get<2>(config.at(key_index(other)).value) + " and is ignored";
}

std::optional<RunConfig> resolve(const std::vector<Assignment>& assignments,
                                 std::shared_ptr<const lcsm::Catalogue> catalogue,
                                 Mistakes& mistakes) {
  return Resolver(std::move(catalogue), mistakes).resolve(assignments);
}

}  // namespace runner
