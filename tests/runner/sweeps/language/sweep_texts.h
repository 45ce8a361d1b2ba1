// Sweeps from texts, and the messages about wrong ones.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runner/sweeps/language/points.h"

namespace runner {

inline void ignore(const std::string&) {}

// Texts by name, in place of files; "my" is the sweep to read.
using SweepTexts = std::map<std::string, std::string>;

inline SweepFile sweep_of(const SweepTexts& texts) {
  const auto find = [&texts](const std::string& name, const std::string&) {
    const auto found = texts.find(name);
    if (found == texts.end()) throw std::runtime_error("unknown sweep '" + name + "'");
    return SweepText{name, name + ".toml", found->second};
  };
  return read_sweep(find("my", ""), find, ignore);
}

inline SweepFile sweep_of(const std::string& text) { return sweep_of(SweepTexts{{"my", text}}); }

struct Seen {
  Expansion expansion;
  std::vector<RunConfig> runs;
};

inline Seen expanded(const SweepFile& sweep, const SweepRequest& request = {}) {
  Seen seen;
  seen.expansion = expand(sweep, request, [&seen](const Point&, const RunConfig& config) {
    seen.runs.push_back(config);
  });
  return seen;
}

// All messages about a sweep, without source lines; "" = no mistake.
inline std::string mistakes_in(const SweepTexts& texts, const SweepRequest& request = {}) {
  std::string all;
  try {
    expanded(sweep_of(texts), request);
  } catch (const std::invalid_argument& error) {
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("  ")) all += line + "\n";
  }
  return all;
}

}  // namespace runner
