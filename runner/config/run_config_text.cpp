#include <algorithm>

#include "runner/config/run_config.h"

namespace runner {
namespace {

// Lines "KEY = VALUE", and what is said behind each.
struct Line {
  std::string text, remark;
};

void add_oscillation(const RunConfig& config, std::vector<Line>& lines) {
  if (!config.is("model.family", "eos")) return;
  const lcsm::Oscillation& own = *config.catalogue().find(config.code().o);
  if (own.origin.empty()) return;
  const auto put = [&lines](const std::string& key, const std::string& value) {
    lines.push_back({key + " = " + toml_text(Value(value)), ""});
  };
  lines.push_back({"", ""});
  lines.push_back({"[oscillation." + own.name + "]", own.origin});
  put("o", lcsm::to_string(own.o));
  if (own.scale) put("scale", lcsm::to_string(own.scale));
  for (const auto& [symbol, init] : own.inits)
    put("init." + lcsm::to_string(symbol), lcsm::to_string(init));
  for (const auto& [symbol, rank] : own.ranks)
    put("rank." + lcsm::to_string(symbol), lcsm::to_string(rank));
  if (own.growth) lines.push_back({"growth = true", ""});
  if (!own.help.empty()) put("help", own.help);
}

// Bare keys first, as TOML wants it, then a table for each group.
std::vector<Line> lines_of(const RunConfig& config) {
  std::vector<Line> bare, tables;
  std::string_view table;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    if (!setting.used) continue;
    const std::string_view name = kConfigKeys[i].name;
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
    if (places && !line.remark.empty())
      result +=
          std::string(width + 2 - std::min(width, line.text.size()), ' ') + "# " + line.remark;
    result += "\n";
  }
  return result;
}

}  // namespace runner
