#include "runner/config/run/run_config_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "lcsm/code/variant.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/toml/config_value.h"
#include "runner/systems/blocks.h"
#include "runner/systems/cross_attention.h"

namespace runner {
namespace {

constexpr bool is_whole_number(std::string_view name) {
  const auto is_it = [name](const ConfigKey& key) {
    return key.name == name && key.kind == Kind::kInteger;
  };
  return std::ranges::any_of(KeysOf<KeyGroup::kTask>::kRows, is_it) ||
         std::ranges::any_of(KeysOf<KeyGroup::kModel>::kRows, is_it);
}
template <class Rows>
constexpr bool rules_name_whole_numbers(const Rows& rows) {
  for (const auto& row : rows)
    for (const NumberRule& rule : row.rules)
      if (!is_whole_number(rule.key) || !(rule.beside.empty() || is_whole_number(rule.beside)))
        return false;
  return true;
}
static_assert(rules_name_whole_numbers(kTaskRows) && rules_name_whole_numbers(kFamilyRows));

std::string text(std::int64_t number) { return std::to_string(number); }

std::string rotating_families() {
  return lcsm::joined_of(kFamilyRows,
                         [](const FamilyRow& family) { return family.rotates ? family.name : ""; });
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// A key that some values of another make idle. Unlike a key that its row's `only` leaves out, it
// stays in the run's id.
struct IdleKey {
  AnyKey key, by;
  std::string_view values;  // separated by blanks; "": any text
};
constexpr std::array kIdleKeys = {
    IdleKey{"optim.lr_first"_key, "optim.warmup"_key, "0"},
    IdleKey{"optim.lr_last"_key, "optim.schedule"_key, "constant inverse-sqrt"},
    IdleKey{"optim.decay_on"_key, "optim.decay"_key, "0.0"},
    IdleKey{"model.depth_dropout"_key, "model.layers"_key, "1"},
    IdleKey{"model.head_width"_key, "model.head"_key, "linear"},
    IdleKey{"task.rarest"_key, "task.tokens"_key, "bytes gpt2"},
    IdleKey{"task.valid_share"_key, "task.split"_key, ""},
    IdleKey{"task.test_share"_key, "task.split"_key, ""},
    IdleKey{"task.seed"_key, "task.split"_key, ""},
};

// An option of a block that has an effect only with one value of another. Unlike the ones that
// lcsm::OptionRule::needs refuses, it is accepted and stays in the run's id.
struct IdleOption {
  std::string_view option, by, value;
};
constexpr std::array kIdleOptions = {
    IdleOption{"r_min", "form", "complex"},
    IdleOption{"r_max", "form", "complex"},
    IdleOption{"max_phase", "form", "complex"},
    IdleOption{"normalize", "bidirectional", "false"},
    IdleOption{"segment", "bidirectional", "false"},
    IdleOption{"positions", "bias", "simple"},
    IdleOption{"positions", "chunk", "0"},
};

// Options that a recipe adds are not noted.
void add_idle_options(const RunConfig& config, std::vector<std::string>& notes) {
  const lcsm::Options& mixer = config.system()->mixer;
  const std::vector<std::string> given = parse_system(config.named()).given;
  for (const auto& [option, by, value] : kIdleOptions)
    if (lcsm::has_word(given, option) && mixer.has(by) && mixer.text(by) != value)
      notes.push_back("model.system: option '" + std::string(option) + "' has no effect with " +
                      std::string(by) + "=" + mixer.text(by));
}

// The tensors of a code or a system; none of attention.
lcsm::Parameters tensors_of_mixer(const RunConfig& config) {
  const std::int64_t d = config.integer("model.d"_key);
  if (config.system()) return lcsm::tensors_of(mixer_of(*config.system(), d));
  if (!config.has_code()) return {};
  const lcsm::Sizes sizes{static_cast<int>(d), static_cast<int>(config.integer("model.k"_key))};
  return lcsm::tensors_of(lcsm::make_variant(config.code(), config.catalogue(), sizes));
}

bool learns_a_gate(const RunConfig& config) {
  return std::ranges::any_of(tensors_of_mixer(config), [](const lcsm::Parameter& tensor) {
    return tensor.learned && lcsm::group_of(tensor) == lcsm::ParameterGroup::kGate;
  });
}

std::string model_of(const RunConfig& config) {
  const AnyKey key = config.system()     ? AnyKey("model.system"_key)
                     : config.has_code() ? AnyKey("model.code"_key)
                                         : AnyKey("model.family"_key);
  return key_name(key) + " = " + value_text(config.at(key).value);
}

}  // namespace

void RuleFinder::check() const {
  if (!config_.text("task.name"_key).empty()) check_task();
  check_model();
  check_course();
}

void RuleFinder::require(bool good, std::initializer_list<AnyKey> keys,
                         const std::string& what) const {
  if (good) return;
  std::vector<int> indices;
  for (const AnyKey& key : keys) indices.push_back(index_of(key));
  note(indices, what);
}

bool RuleFinder::passes(std::initializer_list<AnyKey> keys, const std::string& what,
                        const std::function<void()>& check) const {
  try {
    check();
    return true;
  } catch (const std::invalid_argument& error) {
    require(false, keys, what + ": " + error.what());
    return false;
  }
}

// Reports a mistake at the place where the last of the keys was set: whoever typed it knew the
// others.
void RuleFinder::note(std::span<const int> keys, const std::string& what) const {
  Place last;
  for (const int key : keys) {
    const Origin& origin = origins_[static_cast<std::size_t>(key)];
    if (origin.refused) return;
    last = std::max(last, origin.place);
  }
  mistakes_.note(last, what);
}

void RuleFinder::check_task() const {
  const std::vector<std::string> reports = lcsm::words_of(config_.task().reports);
  const std::string& best = config_.text("eval.best"_key);
  require(best == "loss" || std::find(reports.begin(), reports.end(), best) != reports.end(),
          {"eval.best"_key, "task.name"_key},
          "eval.best: expected a metric that " + std::string(config_.task().name) +
              " reports, got " + best);
  const std::string& from = config_.text("model.from_content"_key);
  require(from.empty() || is_sha256(from), {"model.from_content"_key},
          "model.from_content: expected 64 hexadecimal digits, got '" + from + "'");
  require(from.empty() || !config_.text("model.from"_key).empty(), {"model.from_content"_key},
          "model.from_content: expected model.from with it, the run that has these weights");
  const std::string& content = config_.text("task.content"_key);
  require(content.empty() || is_sha256(content), {"task.content"_key},
          "task.content: expected 64 hexadecimal digits, got '" + content + "'");
  require(config_.predicts_next() || config_.text("task.segments"_key).empty(),
          {"task.masked"_key, "task.segments"_key},
          "task.masked: expected blocks of task.length tokens, got task.segments = " +
              config_.text("task.segments"_key) + ": leave one of them out");
  require(!config_.is("task.order"_key, "consecutive") || config_.task().reader == "text",
          {"task.order"_key, "task.name"_key},
          "task.order: consecutive needs a text, got task.name = " + config_.text("task.name"_key));
  if (config_.at("task.tokens"_key).used) {
    const std::string list = lcsm::has_word(reports, kBits)        ? "bytes"
                             : config_.task().reader == "text"     ? "bytes words ranked-words gpt2"
                             : config_.at("task.classes"_key).used ? "bytes characters words"
                                                                   : "bytes characters words gpt2";
    require(lcsm::has_word(list, config_.text("task.tokens"_key)),
            {"task.tokens"_key, "task.name"_key},
            "task.tokens: expected one of " + list + " with task.name = " +
                config_.text("task.name"_key) + ", got " + config_.text("task.tokens"_key));
  }
  check_length();
  check_segments();
  require(!config_.at("task.bundle"_key).used || config_.integer("task.bundle"_key) == 0 ||
              config_.integer("optim.tokens"_key) == 0,
          {"task.bundle"_key, "optim.tokens"_key},
          "optim.tokens: the tokens of a step vary with task.bundle: set optim.steps or .epochs");
  for (const NumberRule& rule : config_.task().rules) check_rule(rule);
}

// Checks the task's own data set; the length of any other is checked when its file is opened.
void RuleFinder::check_length() const {
  if (config_.task().set.longest == 0) return;
  const std::int64_t p = config_.integer("task.patch"_key);
  const std::int64_t longest = config_.task().set.longest / (p * p);
  require(config_.integer("task.length"_key) >= longest || !config_.text("task.data"_key).empty(),
          {"task.length"_key, "task.name"_key, "task.patch"_key},
          "task.length: expected at least " + text(longest) +
              ", the steps of the longest example " + "of " + config_.text("task.name"_key) +
              ", got " + text(config_.integer("task.length"_key)) +
              ": raise it, or name a data set of shorter examples with task.data");
}

void RuleFinder::check_segments() const {
  const std::string& segments = config_.text("task.segments"_key);
  if (!config_.at("task.segments"_key).used || segments.empty()) return;
  const bool read = passes({"task.segments"_key}, "task.segments", [&] {
    const std::int64_t most = segments_of(segments).most, T = config_.integer("task.length"_key);
    require(T % most == 0, {"task.segments"_key, "task.length"_key},
            "task.length: expected a multiple of the " + text(most) +
                " chunks of task.segments, got " + text(T));
  });
  if (!read) return;
  require(!config_.is("task.order"_key, "consecutive"), {"task.segments"_key, "task.order"_key},
          "task.order: consecutive needs examples of one length, got task.segments = " + segments);
  require(config_.integer("optim.tokens"_key) == 0, {"task.segments"_key, "optim.tokens"_key},
          "optim.tokens: the tokens of a step vary with task.segments: set optim.steps or .epochs");
}

void RuleFinder::check_rule(const NumberRule& rule) const {
  std::vector<int> keys = {key_index(rule.key)};
  if (!rule.beside.empty()) keys.push_back(key_index(rule.beside));
  const auto value = [this](int key) { return std::get<std::int64_t>(config_.at(key).value); };
  const std::int64_t beside = keys.size() > 1 ? value(keys[1]) : 0;
  if (rule.holds(value(keys[0]), beside)) return;
  std::string expected(rule.expected);
  if (const std::size_t at = expected.find("{}"); at != std::string::npos)
    expected.replace(at, 2, std::string(rule.beside) + " = " + text(beside));
  note(keys, std::string(rule.key) + ": expected " + expected + ", got " + text(value(keys[0])));
}

void RuleFinder::check_system() const {
  const std::optional<System>& system = config_.system();
  require(system || !config_.is("model.skeleton"_key, "source"),
          {"model.skeleton"_key, "model.family"_key},
          "model.skeleton: source is the model of a named system's authors, but model.family is " +
              config_.text("model.family"_key));
  check_encoder_decoder();
  if (!system) return;
  const std::string name = "model.system: " + config_.text("model.system"_key);
  require(
      config_.text("task.name"_key).empty() || !config_.predicts_next() || !is_two_sided(*system),
      {"model.system"_key, "task.name"_key},
      name + " sees later steps, which task.name = " + config_.text("task.name"_key) +
          " asks to predict: expected a causal system, or task.masked above 0");
  require(config_.text("task.name"_key).empty() || config_.predicts_next() ||
              !system->row->block->recalls || !config_.is("task.order"_key, "consecutive"),
          {"model.system"_key, "task.order"_key, "task.masked"_key},
          name +
              " carries its memory on with task.order = consecutive, but not past padding: "
              "expected task.masked = 0, or another order");
  const std::int64_t d = config_.integer("model.d"_key), T = config_.integer("task.length"_key);
  const bool fits = passes({"model.system"_key, "model.d"_key}, "model.system", [&] {
    const std::int64_t layers = config_.integer("model.layers"_key);
    mixer_of(*system, d, {layers - 1, layers, T});
    feed_of(*system, d, {layers - 1, layers, T});
  });
  if (fits)
    passes({"model.system"_key, "task.length"_key}, "model.system with task.length",
           [&] { check_steps(mixer_of(*system, d), T); });
}

// Only translations have an encoder and a decoder.
void RuleFinder::check_encoder_decoder() const {
  const bool decodes = config_.is("model.skeleton"_key, "encoder-decoder");
  if (!config_.text("task.name"_key).empty()) {
    const bool translates = config_.task().inputs == "sentences";
    require(translates == decodes, {"model.skeleton"_key, "task.name"_key},
            "model.skeleton: expected " +
                std::string(translates ? "encoder-decoder" : "another than encoder-decoder") +
                " with task.name = " + config_.text("task.name"_key) + ", got " +
                config_.text("model.skeleton"_key));
  }
  if (!decodes) return;
  require(
      config_.system().has_value(), {"model.skeleton"_key, "model.family"_key},
      "model.skeleton: encoder-decoder expected a named system, such as transformer or mega, but "
      "model.family is " +
          config_.text("model.family"_key));
  if (!config_.system()) return;
  passes({"model.system"_key, "model.skeleton"_key}, "model.system", [&] {
    two_sided(*config_.system());
    cross_of(mixer_of(*config_.system(), config_.integer("model.d"_key)));
  });
}

void RuleFinder::check_model() const {
  const FamilyRow& family = config_.family();
  for (const NumberRule& rule : family.rules) check_rule(rule);
  check_system();
  check_code();
  check_softmax();
  const bool sees_ahead =
      config_.at("model.attention"_key).used && config_.is("model.attention"_key, "both");
  require(!sees_ahead || config_.text("task.name"_key).empty() || !config_.predicts_next(),
          {"model.attention"_key, "task.name"_key},
          "model.attention: both would see the tokens that " + config_.text("task.name"_key) +
              " predicts: use causal, or task.masked above 0");
  require(
      !config_.is("model.positions"_key, "sinusoidal") || config_.integer("model.d"_key) % 2 == 0,
      {"model.positions"_key, "model.d"_key},
      "model.positions: sinusoidal needs an even model.d, got " +
          text(config_.integer("model.d"_key)));
  if (!config_.is("model.positions"_key, "rope")) return;
  require(family.rotates, {"model.positions"_key, "model.family"_key},
          "model.positions: rope rotates queries and keys of " + rotating_families() +
              ", but model.family is " + std::string(family.name));
  const std::int64_t d = config_.integer("model.d"_key), heads = config_.integer("model.heads"_key);
  require(!family.rotates || d % heads != 0 || d / heads % 2 == 0,
          {"model.d"_key, "model.heads"_key, "model.positions"_key},
          "model.positions: rope needs heads of even width, got model.d / model.heads = " +
              text(d / heads));
}

// Requires tokens that are numbered by frequency, since the bands are ranges of frequency.
void RuleFinder::check_softmax() const {
  if (!config_.at("model.cutoffs"_key).used) return;
  require(lcsm::has_word("ranked-words gpt2", config_.text("task.tokens"_key)),
          {"model.softmax"_key, "task.tokens"_key},
          "model.softmax: adaptive needs tokens numbered by frequency, task.tokens = ranked-words "
          "or gpt2, got " +
              config_.text("task.tokens"_key));
  passes({"model.cutoffs"_key}, "model.cutoffs", [&] {
    const auto bands = static_cast<double>(cutoffs_of(config_.text("model.cutoffs"_key)).size());
    const std::int64_t d = config_.integer("model.d"_key),
                       by = config_.integer("model.narrowing"_key);
    require(std::pow(static_cast<double>(by), bands) <= static_cast<double>(d),
            {"model.cutoffs"_key, "model.narrowing"_key, "model.d"_key},
            "model.narrowing: no channel of model.d = " + text(d) +
                " is left to the last band after " + text(static_cast<std::int64_t>(bands)) +
                " cutoffs, got " + text(by));
  });
}

// Options that weigh or normalise e and s require e and s from the input.
void RuleFinder::check_code() const {
  if (!config_.has_code()) return;
  const lcsm::Code& code = config_.code();
  for (const auto key : {"model.qk_norm"_key, "model.bonus"_key})
    require(config_.is(key, "none") || (code.e == 1 && code.s == 1), {key, "model.code"_key},
            key_name(key) + ": expected a code with e and s from the input, 1-o-1-a, got " +
                config_.text("model.code"_key));
}

void RuleFinder::check_course() const {
  const std::int64_t batch = config_.integer("optim.batch"_key),
                     parts = config_.integer("optim.accumulate"_key);
  require(batch % parts == 0, {"optim.batch"_key, "optim.accumulate"_key},
          "optim.accumulate: expected a divisor of optim.batch = " + text(batch) + ", got " +
              text(parts));
  const std::int64_t epochs = config_.integer("optim.epochs"_key);
  const bool counted = config_.integer("optim.steps"_key) > 0 || epochs > 0 ||
                       config_.integer("optim.tokens"_key) > 0;
  require(counted || config_.real("optim.minutes"_key) > 0,
          {"optim.steps"_key, "optim.epochs"_key, "optim.tokens"_key, "optim.minutes"_key},
          "the run never ends: set optim.steps, .epochs, .tokens or .minutes");
  const std::string& schedule = config_.text("optim.schedule"_key);
  require(
      counted || (schedule != "cosine" && schedule != "linear"),
      {"optim.schedule"_key, "optim.steps"_key, "optim.epochs"_key, "optim.tokens"_key},
      "optim.schedule: " + schedule + " needs a last step: set optim.steps, .epochs or .tokens");
  require(epochs > 0 || !config_.is("optim.schedule"_key, "cosine-epochs"),
          {"optim.schedule"_key, "optim.epochs"_key},
          "optim.schedule: cosine-epochs needs a last epoch: set optim.epochs, or another schedule "
          "such as cosine");
  require(
      config_.integer("optim.warmup"_key) > 0 || !config_.is("optim.schedule"_key, "inverse-sqrt"),
      {"optim.schedule"_key, "optim.warmup"_key},
      "optim.schedule: inverse-sqrt decays from the end of the warm-up: set optim.warmup");
  const std::string& best = config_.text("eval.best"_key);
  require(config_.real("eval.stop"_key) <= 1 || best == "loss", {"eval.stop"_key, "eval.best"_key},
          "eval.stop: expected at most 1 with eval.best = " + best + ", got " +
              canonical_number(config_.real("eval.stop"_key)));
}

void RuleFinder::add_notes(std::vector<std::string>& notes) const {
  const auto was_set = [&](AnyKey key) {
    return origins_[static_cast<std::size_t>(index_of(key))].place.source >= 0 &&
           config_.at(key).used && !config_.at(key).usual;
  };
  for (const auto& [key, by, values] : kIdleKeys) {
    const std::string value = value_text(config_.at(by).value);
    const bool is_idle = values.empty() ? !value.empty() : lcsm::has_word(values, value);
    if (was_set(key) && config_.at(by).used && is_idle)
      notes.push_back(key_name(key) + " has no effect with " + key_name(by) + " = " + value);
  }
  if (was_set("optim.gate_lr"_key) && !learns_a_gate(config_))
    notes.push_back("optim.gate_lr has no effect with " + model_of(config_) +
                    ", which learns no gate");
  if (config_.system()) add_idle_options(config_, notes);
  if (config_.integer("optim.tokens"_key) > 0 && config_.task().reader != "text" &&
      config_.task().reader != "mqar")
    notes.push_back(
        "optim.tokens counts task.length = " + text(config_.integer("task.length"_key)) +
        " tokens for each example, also for shorter ones");
  const bool sees_ahead = config_.system() ? is_two_sided(*config_.system())
                                           : config_.at("model.attention"_key).used &&
                                                 config_.is("model.attention"_key, "both");
  if (config_.task().head == "tokens" && !config_.predicts_next() && !sees_ahead)
    notes.push_back("task.masked: the model sees only the tokens before a hidden one");
  const std::int64_t warmup = config_.integer("optim.warmup"_key),
                     steps = config_.integer("optim.steps"_key);
  if (steps > 0 && warmup > steps)
    notes.push_back("optim.warmup = " + text(warmup) + " is longer than optim.steps = " +
                    text(steps) + ": the learning rate never reaches its peak");
  if (config_.system() && config_.system()->row->block->recalls &&
      !config_.is("task.order"_key, "consecutive"))
    notes.push_back("model.system: " + std::string(config_.system()->row->name) +
                    " begins each example without a memory: task.order = consecutive, of texts, "
                    "carries it on");
}

}  // namespace runner
