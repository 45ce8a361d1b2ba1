// A key by its name: "optim.steps"_key. An unknown name or a use as another type does not compile.
// Include the header of the key's group, which holds its row: task_keys.h, model_keys.h,
// optim_keys.h, eval_keys.h, run_keys.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace runner {

enum class Kind : std::uint8_t { kInteger, kReal, kChoice, kText, kCode, kSystem };

// A code or a named system: both name models, and a pattern names several.
constexpr bool names_models(Kind kind) { return kind == Kind::kCode || kind == Kind::kSystem; }

enum class KeyGroup : std::uint8_t { kTask, kModel, kOptim, kEval, kRun };

// The rows of a group, defined by its header.
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

// Index in kConfigKeys of config_keys.h.
int index_of(AnyKey key);

}  // namespace runner
