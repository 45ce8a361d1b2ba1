#include "runner/config/toml/config_toml.h"

#include <toml++/toml.h>

#include <algorithm>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"

namespace runner {
namespace {

bool is_table_of_keys(std::string_view name) {
  return std::any_of(kConfigKeys.begin(), kConfigKeys.end(), [&](const ConfigKey& key) {
    return key.name.starts_with(name) && key.name.substr(name.size()).starts_with('.');
  });
}

std::string unknown_table(std::string_view name, const std::vector<std::string>& skipped) {
  if (name == "base" || name == "grid")
    return "'" + std::string(name) + "' is a table of a sweep: see `lcsm plan` and `lcsm explain`";
  std::vector<std::string> tables = skipped;
  for (const ConfigKey& key : kConfigKeys)
    if (key.name.find('.') != std::string_view::npos)
      tables.emplace_back(key.name.substr(0, key.name.find('.')));
  return "unknown table '" + std::string(name) + "'" +
         lcsm::did_you_mean(name, tables, meant_key(name));
}

class KeyWalker {
 public:
  KeyWalker(int source, Mistakes& mistakes, const TakeKey& take, std::string_view skipped)
      : source_(source), mistakes_(mistakes), take_(take), skipped_(lcsm::words_of(skipped)) {}

  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      if (std::find(skipped_.begin(), skipped_.end(), name) != skipped_.end()) continue;
      if (const int row = key_index(name); row >= 0)
        take_(row, key, node);
      else if (is_table_of_keys(name))
        enter(name, node);
      else
        note(key.source(), node.is_table() && prefix.empty()
                               ? unknown_table(name, skipped_)
                               : "unknown key '" + name + "'" + meant_key(name));
    }
  }

 private:
  void note(const toml::source_region& region, const std::string& what) {
    mistakes_.note(place_of(source_, region), what);
  }

  void enter(const std::string& name, const toml::node& node) {
    if (node.is_table()) return walk(*node.as_table(), name + ".");
    note(node.source(), "'" + name + "' must be a table: write " + name + ".KEY = ...");
  }

  int source_;
  Mistakes& mistakes_;
  const TakeKey& take_;
  std::vector<std::string> skipped_;
};

// Finds a key with too many parts: dots outside of strings and comments, with no sign between them.
class DeepKey {
 public:
  explicit DeepKey(std::string_view text) : text_(text) {}

  // The offset of the part that is one too many; npos: there is none.
  std::size_t find() {
    constexpr int kMostParts = 64;
    int dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (c == '.' && ++dots >= kMostParts) return at_;
      if (std::string_view("=,[]{}\n#").find(c) != std::string_view::npos) dots = 0;
      ++at_;
    }
    return std::string_view::npos;
  }

 private:
  // A multi-line string ends with its three quotes, any other with its quote or the line.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool long_string = text_.substr(at_, 3) == three;
    at_ += long_string ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (long_string ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        at_ += long_string ? 3 : 1;
        return;
      } else if (!long_string && text_[at_] == '\n') {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& path) {
  const std::size_t deep = DeepKey(text).find();
  if (deep == std::string_view::npos) return toml::parse(text, path);
  const std::string_view before = text.substr(0, deep);
  const auto line = static_cast<toml::source_index>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  const toml::source_position place{line + 1, static_cast<toml::source_index>(deep - start + 1)};
  throw toml::parse_error("expected a key of at most 64 parts, got one of more",
                          toml::source_region{place, place, nullptr});
}

Given given_by(const toml::node& node) {
  if (const auto flag = node.value_exact<bool>()) return {*flag};
  if (const auto whole = node.value_exact<std::int64_t>()) return {*whole};
  if (const auto real = node.value_exact<double>()) return {*real};
  if (auto text = node.value_exact<std::string>()) return {std::move(*text)};
  return {{}, node.is_table() ? "a table" : node.is_array() ? "a list" : "a date or time"};
}

// A plain string on one line starts after one quote; escapes and multi-line quotes are not handled.
int inside_of(const toml::node& node) {
  const toml::source_region& region = node.source();
  const auto text = node.value_exact<std::string>();
  const bool plain = text && region.begin.line == region.end.line &&
                     region.end.column - region.begin.column == text->size() + 2;
  return plain ? 1 : -1;
}

Place place_of(int source, const toml::source_region& region) {
  return {source, region.begin.line, region.begin.column};
}

Assignment assignment_of(int key, const toml::node& node, int source, Mistakes& mistakes) {
  Assignment assignment{key, place_of(source, node.source()), {}, inside_of(node)};
  try {
    assignment.value = accepted(key_row(key), given_by(node));
  } catch (const ValueError& error) {
    mistakes.note(assignment.place, error.what());
  }
  return assignment;
}

void walk_keys(const toml::table& table, int source, Mistakes& mistakes, const TakeKey& take,
               std::string_view skipped) {
  KeyWalker(source, mistakes, take, skipped).walk(table, "");
}

}  // namespace runner
