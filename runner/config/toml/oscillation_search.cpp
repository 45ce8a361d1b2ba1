#include "runner/config/toml/oscillation_search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "lcsm/base/words.h"
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

// Adds all oscillations of a file; if it throws, none.
void add_file(lcsm::Catalogue& into, const std::string& path) {
  lcsm::Catalogue catalogue = into;
  for (lcsm::Oscillation& oscillation : read_oscillations(path)) {
    const std::string origin = oscillation.origin;
    // A file that is named twice is read once.
    const lcsm::Oscillation* known = catalogue.find(oscillation.name);
    if (known && known->origin == origin) continue;
    try {
      catalogue.add(std::move(oscillation));
    } catch (const lcsm::OscillationError& error) {
      throw std::invalid_argument(origin + ": " + error.what());
    }
  }
  into = std::move(catalogue);
}

}  // namespace

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

lcsm::Catalogue load_catalogue(const std::vector<std::string>& named,
                               void (*complain)(const std::string&)) {
  lcsm::Catalogue catalogue;
  for (const std::string& path : oscillation_files()) {
    try {
      add_file(catalogue, path);
    } catch (const std::exception& error) {
      complain(error.what());
    }
  }
  for (const std::string& path : named) add_file(catalogue, path);
  return catalogue;
}

}  // namespace runner
