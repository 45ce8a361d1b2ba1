#include "runner/cluster/slurm/profile.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "runner/base/text/duration.h"
#include "runner/cluster/submission/named_tables.h"

namespace runner {
namespace {

struct TextKey {
  std::string_view name;
  std::string SlurmProfile::*field;
};
constexpr std::array kTexts = {
    TextKey{"partition", &SlurmProfile::partition}, TextKey{"account", &SlurmProfile::account},
    TextKey{"qos", &SlurmProfile::qos}, TextKey{"memory", &SlurmProfile::memory},
    TextKey{"gpus", &SlurmProfile::gpus}};

struct NumberKey {
  std::string_view name;
  std::int64_t SlurmProfile::*field;
};
constexpr std::array kNumbers = {NumberKey{"cpus", &SlurmProfile::cpus},
                                 NumberKey{"runs-per-gpu", &SlurmProfile::runs_per_gpu},
                                 NumberKey{"elements", &SlurmProfile::elements}};
constexpr std::array kDurations = {NumberKey{"time", &SlurmProfile::time},
                                   NumberKey{"warning", &SlurmProfile::warning},
                                   NumberKey{"silence", &SlurmProfile::silence}};

constexpr std::int64_t kMostWarning = 65535;  // of sbatch --signal

// Options that a submission sets itself: a profile that changed them would break the search for its
// jobs.
const std::vector<std::string>& own_options() {
  static const std::vector<std::string> names = {
      "--array",      "--comment", "--job-name", "--signal",    "--requeue",
      "--no-requeue", "--output",  "--error",    "--open-mode", "--parsable",
      "--wrap",       "--chdir",   "--time",     "--ntasks",    "--nodes"};
  return names;
}

bool printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c != 127; });
}

// The problem with an option of 'extra'; "" if it is valid.
std::string trouble_of(const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  if (!option.starts_with("--") || name.size() < 3 || !printable(name) ||
      option.find_first_of("\n\r") != std::string::npos)
    return "an option of sbatch must be like \"--constraint=a100\"";
  const bool ours = std::ranges::any_of(own_options(), [&](const std::string& own) {
    return own.starts_with(name);  // sbatch accepts unambiguous prefixes
  });
  return ours ? "'" + name + "' is set by the submission: remove it" : "";
}

void check(const SlurmProfile& profile, NamedTable& table) {
  if (profile.warning > kMostWarning)
    table.note("warning must be at most " + std::to_string(kMostWarning) + "s");
  if (profile.time < 2 * profile.warning)
    table.note("time (" + exact_duration(static_cast<double>(profile.time)) +
               ") must be at least twice warning (" +
               exact_duration(static_cast<double>(profile.warning)) +
               "): raise time or lower warning");
  if (profile.runs_per_gpu > 1 && profile.gpus.empty())
    table.note("runs-per-gpu needs gpus: add gpus = \"1\" or remove it");
}

SlurmProfile profile_of(NamedTable& table) {
  SlurmProfile profile;
  profile.name = table.name();
  for (const NumberKey& key : kDurations) table.read_seconds(key.name, &(profile.*key.field));
  for (const TextKey& key : kTexts) table.read_word(key.name, &(profile.*key.field));
  for (const NumberKey& key : kNumbers) table.read_number(key.name, &(profile.*key.field));
  table.read_list("extra", "a list: extra = [\"--constraint=a100\"]", &profile.extra, trouble_of);
  if (!table.has("time"))
    table.note("profile '" + profile.name + "' has no time limit: add time = \"4h\"");
  else if (table.good())
    check(profile, table);
  return profile;
}

// Formats a time limit for sbatch: "1-02:03:04".
std::string time_limit(std::int64_t seconds) {
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return std::to_string(seconds / 86400) + "-" + two(seconds / 3600 % 24) + ":" +
         two(seconds / 60 % 60) + ":" + two(seconds % 60);
}

}  // namespace

std::vector<SlurmProfile> parse_slurm_profiles(std::string_view text, const std::string& path) {
  std::vector<SlurmProfile> profiles;
  read_named_tables(text, path, {"profile", "[NAME] and time = \"4h\""},
                    [&](NamedTable& table) { profiles.push_back(profile_of(table)); });
  return profiles;
}

const SlurmProfile& choose_profile(const std::vector<SlurmProfile>& profiles,
                                   const std::string& name) {
  std::vector<std::string> names;
  for (const SlurmProfile& each : profiles) {
    if (each.name == name || (name.empty() && profiles.size() == 1)) return each;
    names.push_back(each.name);
  }
  if (name.empty())
    throw std::invalid_argument("several profiles: choose one of " + lcsm::joined(names) +
                                " with --profile");
  throw std::invalid_argument(
      "unknown profile '" + name + "'" +
      lcsm::did_you_mean(name, names, "; expected one of " + lcsm::joined(names)));
}

SlurmProfile find_profile(const std::filesystem::path& sweep_file,
                          const std::filesystem::path& workspace, const std::string& name) {
  const ConfigurationFile file = find_configuration(
      sweep_file, workspace, kProfilesFile, "a profile of the cluster",
      "write [NAME], then lines such as time = \"4h\" and partition = \"gpu\" (`sinfo -s` lists "
      "partitions)");
  return choose_profile(parse_slurm_profiles(file.text, file.path), name);
}

std::vector<std::string> sbatch_options(const SlurmProfile& profile) {
  std::vector<std::string> options = {"--time=" + time_limit(profile.time), "--nodes=1",
                                      "--ntasks=1",
                                      "--cpus-per-task=" + std::to_string(profile.cpus),
                                      "--signal=B:USR2@" + std::to_string(profile.warning)};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) options.push_back(option + value);
  };
  add("--partition=", profile.partition);
  add("--account=", profile.account);
  add("--qos=", profile.qos);
  add("--mem=", profile.memory);
  add("--gres=gpu:", profile.gpus);
  options.insert(options.end(), profile.extra.begin(), profile.extra.end());
  return options;
}

}  // namespace runner
