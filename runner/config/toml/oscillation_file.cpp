#include "runner/config/toml/oscillation_file.h"

#include <toml++/toml.h>

#include <algorithm>

#include "lcsm/base/nearest.h"
#include "runner/base/files/toml_file.h"
#include "runner/config/toml/config_toml.h"

namespace runner {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::vector<lcsm::Oscillation> read() {
    const toml::table root = parse();
    const toml::node* const node = root.get("oscillation");
    if (node && !node->is_table())
      note(node->source(), "'oscillation' must hold tables: write [oscillation.NAME]");
    if (node && node->is_table())
      for (const auto& [name, table] : *node->as_table()) read_table(name, table);
    for (const auto& [name, other] : root)
      if (&other != node) refuse_gates(name, other);
    if (!errors_.empty()) {
      std::stable_sort(errors_.begin(), errors_.end(),
                       [](const SourceError& a, const SourceError& b) { return a.line < b.line; });
      throw SourceErrors(path_, text_, std::move(errors_));
    }
    return std::move(result_);
  }

 private:
  toml::table parse() {
    try {
      return parse_toml(text_, path_);
    } catch (const toml::parse_error& error) {
      note(error.source(), std::string(error.description()));
      throw SourceErrors(path_, text_, std::move(errors_));
    }
  }

  void note(const toml::source_region& where, const std::string& what, std::size_t shift = 0) {
    errors_.push_back({where.begin.line, where.begin.column + shift, what});
  }

  // [mine] and [oscillaton.mine] would be ignored as sections of a sweep.
  void refuse_gates(const toml::key& section, const toml::node& node) {
    const toml::table* const table = node.as_table();
    if (table == nullptr || section.str() == "names") return;
    const auto refuse = [&](const toml::key& gate, const std::string& path) {
      note(gate.source(),
           "a gate is a table [oscillation." + std::string(gate.str()) + "], got [" + path + "]");
    };
    const std::string path(section.str());
    if (table->contains("o")) refuse(section, path);
    for (const auto& [name, each] : *table)
      if (each.is_table() && each.as_table()->contains("o"))
        refuse(name, path + "." + std::string(name.str()));
  }

  void read_table(const toml::key& name, const toml::node& node) {
    if (!node.is_table())
      return note(name.source(), "an oscillation must be a table: write [oscillation." +
                                     std::string(name.str()) + "]");
    lcsm::OscillationText text;
    text.name = name.str();
    text.origin = path_ + ":" + std::to_string(name.source().begin.line);
    starts_ = {{"name", {name.source(), 0}}};
    for (const auto& [key, value] : *node.as_table()) read_key(text, key, value);
    const toml::node* const gate = node.as_table()->get("o");
    if (gate == nullptr)
      note(name.source(), "oscillation '" + text.name + "' has no gate: add o = \"FORMULA\"");
    else if (!text.o.empty() || gate->is_string())
      make(text);
  }

  void make(const lcsm::OscillationText& text) {
    try {
      result_.push_back(lcsm::make_oscillation(text));
    } catch (const lcsm::OscillationError& first) {
      note(first);
      for (const lcsm::OscillationError& error : first.more) note(error);
    }
  }

  void note(const lcsm::OscillationError& error) {
    const TextStart& start = starts_.at(error.key);
    note(start.region, error.what(), start.into == 0 ? 0 : start.into + error.column - 1);
  }

  void read_key(lcsm::OscillationText& text, const toml::key& key, const toml::node& value) {
    const std::string_view name = key.str();
    if (name == "o")
      formula(text.o, "o", value);
    else if (name == "scale")
      formula(text.scale, "scale", value);
    else if (name == "read")
      formula(text.read, "read", value);
    else if (name == "help")
      quoted(text.help, "help", value);
    else if (name == "growth")
      text.growth = flag(value);
    else if (name == "init")
      read_named(text.inits, "init", value);
    else if (name == "rank")
      read_named(text.ranks, "rank", value);
    else {
      static const std::vector<std::string> keys = {"o",      "scale", "read", "help",
                                                    "growth", "init",  "rank"};
      note(key.source(),
           "unknown key '" + std::string(name) + "'" +
               lcsm::did_you_mean(name, keys,
                                  "; expected one of o, scale, read, init, rank, growth, help"));
    }
  }

  void read_named(std::map<std::string, std::string>& into, const std::string& key,
                  const toml::node& node) {
    if (!node.is_table())
      return note(node.source(), "'" + key + "' must name a symbol: write " + key + ".w_d = ...");
    for (const auto& [symbol, value] : *node.as_table()) {
      const std::string full = key + "." + std::string(symbol.str());
      std::string text;
      formula(text, full, value);
      if (!text.empty() || value.is_string()) into[std::string(symbol.str())] = text;
    }
  }

  // A formula is a string or a number. A value of another type is noted and leaves `into`
  // unchanged.
  void formula(std::string& into, const std::string& key, const toml::node& node) {
    starts_[key] = {node.source(), 0};
    if (const auto integer = node.value_exact<std::int64_t>()) {
      into = std::to_string(*integer);
    } else if (const auto real = node.value_exact<double>()) {
      into = lcsm::number_text(*real);
    } else {
      quoted(into, key, node);
    }
  }

  void quoted(std::string& into, const std::string& key, const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) {
      starts_[key].into = inside_of(node) > 0 ? 1 : 0;
      into = *text;
    } else {
      note(node.source(), "'" + key + "' must be a string in quotes");
    }
  }

  bool flag(const toml::node& node) {
    const auto value = node.value_exact<bool>();
    if (!value) note(node.source(), "'growth' must be true or false");
    return value.value_or(true);  // so that the gate's range is no second mistake
  }

  // The column where a key's text begins, counted from the start of the region; 0 = unknown.
  struct TextStart {
    toml::source_region region;
    std::size_t into = 0;
  };

  std::string_view text_;
  const std::string& path_;
  std::map<std::string, TextStart> starts_;  // by key of the current table
  std::vector<SourceError> errors_;
  std::vector<lcsm::Oscillation> result_;
};

}  // namespace

std::vector<lcsm::Oscillation> parse_oscillations(std::string_view text, const std::string& path) {
  return Reader(text, path).read();
}

std::vector<lcsm::Oscillation> read_oscillations(const std::string& path) {
  return parse_oscillations(read_toml_file(path), path);
}

}  // namespace runner
