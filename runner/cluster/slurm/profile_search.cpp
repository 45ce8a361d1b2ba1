#include "runner/cluster/slurm/profile_search.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfilesFile = "slurm.toml";

}  // namespace

std::vector<fs::path> profile_places(const fs::path& sweep_file, const fs::path& workspace) {
  return configuration_places(sweep_file, workspace, kProfilesFile);
}

std::vector<fs::path> configuration_places(const fs::path& sweep_file, const fs::path& workspace,
                                           const char* file) {
  const bool is_file = fs::is_regular_file(sweep_file);
  std::vector<fs::path> places = {
      (is_file ? fs::absolute(sweep_file).parent_path() : fs::current_path()) / file,
      fs::absolute(workspace) / file};
  const std::string configuration = environment_variable("XDG_CONFIG_HOME"),
                    home = environment_variable("HOME");
  if (!configuration.empty())
    places.push_back(fs::path(configuration) / "lcsm" / file);
  else if (!home.empty())
    places.push_back(fs::path(home) / ".config" / "lcsm" / file);
  return places;
}

SlurmProfile find_profile(const std::vector<fs::path>& places, const std::string& name) {
  std::string list;
  for (const fs::path& place : places) {
    if (fs::exists(place)) return choose_profile(read_slurm_profiles(place.string()), name);
    list += (list.empty() ? "" : ", ") + place.string();
  }
  throw std::runtime_error("expected a profile of the cluster in one of " + list +
                           ", got none: write [NAME], then lines such as time = \"4h\" and "
                           "partition = \"gpu\" (`sinfo -s` lists partitions)");
}

}  // namespace runner
