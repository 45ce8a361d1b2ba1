#include "runner/config/toml/oscillation_search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "lcsm/base/words.h"
#include "lcsm/formula/simplify.h"
#include "runner/config/toml/oscillation_file.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty())
    if (const std::string_view path = lcsm::take_until(&list, ':'); !path.empty())
      paths.emplace_back(path);
  return paths;
}

// What the run's identity has of a gate, and whether it may grow.
std::string gate_text(const lcsm::Oscillation& gate) {
  std::string text = gate.growth ? "growth" : "";
  const auto put = [&](const std::string& key, const lcsm::Expr& formula) {
    text += "\n" + key + " = " + (formula ? lcsm::to_string(lcsm::simplify(formula)) : "");
  };
  put("o", gate.o);
  put("scale", gate.scale);
  put("read", gate.read);
  for (const auto& [symbol, formula] : gate.inits) put("init." + lcsm::to_string(symbol), formula);
  for (const auto& [symbol, formula] : gate.ranks) put("rank." + lcsm::to_string(symbol), formula);
  return text;
}

// A file that is named twice, or a gate that a sweep and its copy both define.
bool is_known(const lcsm::Catalogue& catalogue, const lcsm::Oscillation& gate) {
  const lcsm::Oscillation* known = catalogue.find(gate.name);
  return known && !known->origin.empty() &&
         (known->origin == gate.origin || gate_text(*known) == gate_text(gate));
}

// Adds all oscillations of a file; if it throws, none.
void add_file(lcsm::Catalogue& into, const std::string& path) {
  lcsm::Catalogue catalogue = into;
  for (lcsm::Oscillation& oscillation : read_oscillations(path)) {
    const std::string origin = oscillation.origin;
    if (is_known(catalogue, oscillation)) continue;
    try {
      catalogue.add(std::move(oscillation));
    } catch (const lcsm::OscillationError& error) {
      throw std::invalid_argument(origin + ": " + error.what());
    }
  }
  into = std::move(catalogue);
}

std::vector<std::string> oscillation_files() {
  if (const char* list = std::getenv("LCSM_OSCILLATIONS")) return split_paths(list);
  std::vector<std::string> paths;
  std::error_code none;
  if (fs::is_regular_file("oscillations.toml", none)) paths.emplace_back("oscillations.toml");
  std::vector<std::string> sweeps;
  for (const auto& entry : fs::directory_iterator("sweeps", none))
    if (entry.path().extension() == ".toml") sweeps.push_back(entry.path().string());
  std::sort(sweeps.begin(), sweeps.end());
  paths.insert(paths.end(), sweeps.begin(), sweeps.end());
  return paths;
}

}  // namespace

lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&)) {
  lcsm::Catalogue catalogue;
  for (const std::string& path : oscillation_files()) {
    try {
      add_file(catalogue, path);
    } catch (const std::exception& error) {
      complain("all gates in " + path + ", because\n" + error.what());
    }
  }
  for (const std::string& path : named) add_file(catalogue, path);
  return catalogue;
}

}  // namespace runner
