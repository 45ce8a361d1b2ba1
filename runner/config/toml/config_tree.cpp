#include "runner/config/toml/config_tree.h"

#include <toml++/toml.h>

#include "runner/config/keys/config_keys.h"
#include "runner/config/toml/config_toml.h"
#include "runner/config/toml/oscillation_file.h"

namespace runner {
namespace {

constexpr std::string_view kOscillation = "oscillation";

Given given_by_word(std::string_view text, const ConfigKey& key) {
  const bool number = key.kind == Kind::kInteger || key.kind == Kind::kReal;
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  if (number || quoted) {
    try {
      const toml::table table = parse_toml("x = " + std::string(text), "");
      if (table.size() == 1) return given_by(*table.get("x"));
    } catch (const toml::parse_error&) {
      // not a TOML value: an unquoted string
    }
  }
  return {std::string(text)};
}

}  // namespace

void read_custom_oscillations(std::string_view text, const std::string& name, int source,
                              ConfigTree& into, Mistakes& mistakes) {
  try {
    for (lcsm::Oscillation& custom : parse_oscillations(text, name)) {
      const std::size_t line = std::stoul(custom.origin.substr(custom.origin.rfind(':') + 1));
      into.oscillations.push_back({std::move(custom), {source, line, 1}});
    }
  } catch (const SourceErrors& errors) {
    for (const SourceError& error : errors.errors())
      mistakes.note({source, error.line, error.column}, error.what);
  }
}

void read_tree(std::string_view text, const std::string& name, ConfigTree& into,
               Mistakes& mistakes) {
  const int source = mistakes.add_source(name, text);
  try {
    const toml::table root = parse_toml(text, name);
    walk_keys(
        root, source, mistakes,
        [&](int key, const toml::key&, const toml::node& node) {
          into.assignments.push_back(assignment_of(key, node, source, mistakes));
        },
        kOscillation);
    if (root.contains(kOscillation)) read_custom_oscillations(text, name, source, into, mistakes);
    if (const toml::table* custom = root[kOscillation].as_table())
      for (const auto& [key, node] : *custom) into.broken.insert(std::string(key.str()));
    for (const CustomOscillation& good : into.oscillations)
      into.broken.erase(good.oscillation.name);
  } catch (const toml::parse_error& error) {
    into.is_toml = false;
    mistakes.note(place_of(source, error.source()), std::string(error.description()));
  }
}

void drop_consequences(const std::set<std::string>& broken, Mistakes& mistakes) {
  mistakes.drop_if(
      [&](const Mistake& mistake) { return mistake.unknown && broken.contains(*mistake.unknown); });
}

void read_setting(const std::string& word, ConfigTree& into, Mistakes& mistakes) {
  const int source = mistakes.add_source(kSetOption, word);
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos)
    return mistakes.note({source, 1, 1},
                         "expected KEY=VALUE, such as optim.lr=1e-3, got '" + word + "'");
  const std::string name = word.substr(0, equals);
  const int row = key_index(name);
  if (row < 0) return mistakes.note({source, 1, 1}, "unknown key '" + name + "'" + meant_key(name));
  const ConfigKey& key = key_row(row);
  const std::string_view value = std::string_view(word).substr(equals + 1);
  const bool quoted = value.starts_with('"') || value.starts_with('\'');
  Assignment assignment{row, {source, 1, equals + 2}, {}, quoted ? 1 : 0};
  try {
    assignment.value = accepted(key, given_by_word(value, key));
  } catch (const ValueError& error) {
    mistakes.note(assignment.place, error.what());
  }
  into.assignments.push_back(std::move(assignment));
}

}  // namespace runner
