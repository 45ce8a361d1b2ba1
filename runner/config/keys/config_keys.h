// The keys of a run's configuration: what a row of their tables says, and typed access by name. The
// rows are in task_keys.h, model_keys.h, optim_keys.h, eval_keys.h and run_keys.h; whoever reads a
// key includes the header of its group.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {

enum class Kind : std::uint8_t { kInteger, kReal, kChoice, kText, kCode, kSystem };

// A code, or a named system: both name models, and patterns name several.
constexpr bool names_models(Kind kind) { return kind == Kind::kCode || kind == Kind::kSystem; }

// monostate: no default, the user must set it.
using Usual = std::variant<std::monostate, std::int64_t, double, std::string_view>;

struct ConfigKey {
  std::string_view name;  // "optim.lr"
  Kind kind = Kind::kText;
  Usual usual = {};            // the default; a task may override it
  std::string_view unit = "";  // unit of a number: "steps"
  std::string_view help = "";
  double least = 0, most = 0;     // of a number
  bool above = false;             // `least` itself is out of range
  std::string_view choices = "";  // of a choice, separated by blanks
  std::string_view only = "";     // applies only with this; "" = always
  bool semantic = true;           // changes the result and hence the run id
};

// Values of `only`: the key applies with those rows of the choices' table that list it.
inline constexpr std::string_view kByTask = "task.name", kByFamily = "model.family",
                                  kByOptimizer = "optim.name";

// ----- A key by name -----
// "optim.steps"_key is checked at compile time: an unknown name does not compile, nor does a use of
// it as another type.
enum class KeyGroup : std::uint8_t { kTask, kModel, kOptim, kEval, kRun };

// The rows of a group: defined by the header of the group, which whoever names a key includes.
template <KeyGroup group>
struct KeysOf;

constexpr KeyGroup group_of(std::string_view key) {
  if (key == "recipe" || key.starts_with("task.")) return KeyGroup::kTask;
  if (key.starts_with("model.")) return KeyGroup::kModel;
  if (key.starts_with("optim.")) return KeyGroup::kOptim;
  if (key.starts_with("eval.")) return KeyGroup::kEval;
  return KeyGroup::kRun;
}

template <Kind kind, Kind... kinds>
concept OneOf = ((kind == kinds) || ...);

template <Kind... kinds>
struct KeyOf {
  constexpr KeyOf(KeyGroup of, std::size_t at) : group(of), row(static_cast<std::uint8_t>(at)) {}
  template <Kind... narrower>
  requires(OneOf<narrower, kinds...>&&...) constexpr KeyOf(KeyOf<narrower...> key)
      : KeyOf(key.group, key.row) {}
  KeyGroup group;
  std::uint8_t row;  // of its group
};
using IntegerKey = KeyOf<Kind::kInteger>;
using RealKey = KeyOf<Kind::kReal>;
using TextKey = KeyOf<Kind::kChoice, Kind::kText, Kind::kCode, Kind::kSystem>;
using AnyKey =
    KeyOf<Kind::kInteger, Kind::kReal, Kind::kChoice, Kind::kText, Kind::kCode, Kind::kSystem>;

template <std::size_t size>
struct KeyName {
  consteval KeyName(const char (&name)[size]) { std::copy_n(name, size, text); }
  char text[size];
};

template <KeyName name>
consteval auto operator""_key() {
  constexpr std::string_view kName = name.text;
  constexpr const auto& kRows = KeysOf<group_of(kName)>::kRows;
  constexpr std::size_t kRow = [] {
    std::size_t row = 0;
    while (row < kRows.size() && kRows[row].name != kName) ++row;
    return row;
  }();
  static_assert(kRow < kRows.size(), "no key has this name");
  return KeyOf<kRows[kRow].kind>(group_of(kName), kRow);
}

// Its name, as a constant.
template <auto key>
inline constexpr std::string_view kNameOf = KeysOf<key.group>::kRows[key.row].name;

// ----- All keys -----
// Group after group.
extern const std::span<const ConfigKey> kConfigKeys;

// Index in kConfigKeys.
int index_of(AnyKey key);
int key_index(std::string_view name);  // -1 = unknown key

inline const ConfigKey& key_row(int key) { return kConfigKeys[static_cast<std::size_t>(key)]; }
inline std::string key_name(int key) { return std::string(key_row(key).name); }
inline std::string key_name(AnyKey key) { return key_name(index_of(key)); }

using lcsm::words_of;
bool has_word(std::string_view list, std::string_view word);

// The key whose choice decides whether `key` applies; "" = it always does.
std::string_view decided_by(const ConfigKey& key);

// True if `key` applies with this choice of the key that decides.
bool applies_with(const ConfigKey& key, std::string_view choice);

// The key that an unknown name probably means, also by other tools' names; "" if none is near.
std::string_view nearest_key(std::string_view name);

// "; did you mean 'optim.lr'?", also for a key of another table; else the list of known keys.
std::string meant_key(std::string_view name);

// Describes what the key accepts: "a whole number of steps from 0 to 1099511627776", "one of A, B".
std::string wanted(const ConfigKey& key);

}  // namespace runner
