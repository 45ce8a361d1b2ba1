#include <algorithm>

#include "runner/config/keys/config_keys.h"
#include "runner/config/run/run_config.h"

namespace runner {
namespace {

// A line "KEY = VALUE" and the comment after it.
struct Line {
  std::string text, comment;
};

void add_oscillation(const RunConfig& config, std::vector<Line>& lines) {
  if (!config.has_code()) return;
  const lcsm::Oscillation& custom = *config.catalogue().find(config.code().o);
  if (custom.origin.empty()) return;
  const auto put = [&lines](const std::string& key, const std::string& value) {
    lines.push_back({key + " = " + toml_text(Value(value)), ""});
  };
  lines.push_back({"", ""});
  lines.push_back({"[oscillation." + custom.name + "]", custom.origin});
  put("o", lcsm::to_string(custom.o));
  if (custom.scale) put("scale", lcsm::to_string(custom.scale));
  if (custom.read) put("read", lcsm::to_string(custom.read));
  for (const auto& [symbol, init] : custom.inits)
    put("init." + lcsm::to_string(symbol), lcsm::to_string(init));
  for (const auto& [symbol, rank] : custom.ranks)
    put("rank." + lcsm::to_string(symbol), lcsm::to_string(rank));
  if (custom.growth) lines.push_back({"growth = true", ""});
  if (!custom.help.empty()) put("help", custom.help);
}

// Bare keys first, as TOML requires, then one table per group.
std::vector<Line> lines_of(const RunConfig& config) {
  std::vector<Line> bare, tables;
  std::string_view table;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    const std::string_view name = kConfigKeys[i].name;
    // The lines of the keys show the recipe's values.
    if (!setting.used || name == "recipe") continue;
    const std::size_t dot = name.find('.');
    const std::string value = " = " + toml_text(setting.value);
    if (dot == std::string_view::npos) {
      bare.push_back({std::string(name) + value, setting.set_by});
      continue;
    }
    if (name.substr(0, dot) != table) {
      table = name.substr(0, dot);
      tables.push_back({"", ""});
      tables.push_back({"[" + std::string(table) + "]", ""});
    }
    tables.push_back({std::string(name.substr(dot + 1)) + value, setting.set_by});
  }
  bare.insert(bare.end(), tables.begin(), tables.end());
  add_oscillation(config, bare);
  return bare;
}

}  // namespace

std::string toml_text(const RunConfig& config, bool places) {
  constexpr std::size_t kWidest = 40;
  const std::vector<Line> lines = lines_of(config);
  std::size_t width = 0;
  for (const Line& line : lines)
    if (line.text.size() <= kWidest) width = std::max(width, line.text.size());
  std::string result;
  for (const Line& line : lines) {
    result += line.text;
    if (places && !line.comment.empty())
      result +=
          std::string(width + 2 - std::min(width, line.text.size()), ' ') + "# " + line.comment;
    result += "\n";
  }
  return result;
}

}  // namespace runner
