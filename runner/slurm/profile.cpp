#include "runner/slurm/profile.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "runner/config/config_toml.h"
#include "runner/files/toml_file.h"
#include "runner/text/duration.h"

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
                                   NumberKey{"warning", &SlurmProfile::warning}};

constexpr std::int64_t kMostNumber = 1'000'000;
constexpr double kMostSeconds = 366.0 * 86400;
constexpr std::int64_t kMostWarning = 65535;  // of sbatch --signal

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    for (const NumberKey& key : kDurations) names.emplace_back(key.name);
    for (const TextKey& key : kTexts) names.emplace_back(key.name);
    for (const NumberKey& key : kNumbers) names.emplace_back(key.name);
    names.emplace_back("extra");
    return names;
  }();
  return keys;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What a submission sets itself: a profile that set it too would break what finds its jobs again.
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

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::vector<SlurmProfile> read() {
    const toml::table root = parse();
    for (const auto& [name, node] : root) read_profile(name, node);
    if (root.empty()) errors_.push_back({1, 1, "no profile: write [NAME] and time = \"4h\""});
    const auto place = [](const SourceError& error) { return std::pair(error.line, error.column); };
    std::ranges::stable_sort(errors_, {}, place);
    if (!errors_.empty()) throw SourceErrors(path_, text_, std::move(errors_));
    std::ranges::sort(found_, {}, &Found::line);
    std::vector<SlurmProfile> result;
    for (Found& each : found_) result.push_back(std::move(each.profile));
    return result;
  }

 private:
  struct Found {
    std::size_t line = 0;
    SlurmProfile profile;
  };

  toml::table parse() {
    try {
      return parse_toml(text_, path_);
    } catch (const toml::parse_error& error) {
      note(error.source(), std::string(error.description()));
      throw SourceErrors(path_, text_, std::move(errors_));
    }
  }

  void note(const toml::source_region& where, const std::string& what) {
    errors_.push_back({where.begin.line, where.begin.column, what});
  }

  void read_profile(const toml::key& name, const toml::node& node) {
    if (!node.is_table())
      return note(name.source(), "'" + std::string(name.str()) +
                                     "' stands outside of a profile: write [NAME] above it");
    SlurmProfile profile;
    profile.name = name.str();
    const std::size_t before = errors_.size();
    for (const auto& [key, value] : *node.as_table()) read_key(profile, key, value);
    if (!node.as_table()->contains("time"))
      note(name.source(), "profile '" + profile.name + "' has no time limit: add time = \"4h\"");
    else if (errors_.size() == before)
      check(profile, name);
    found_.push_back({name.source().begin.line, std::move(profile)});
  }

  void check(const SlurmProfile& profile, const toml::key& name) {
    if (profile.warning > kMostWarning)
      note(name.source(), "warning must be at most " + std::to_string(kMostWarning) + "s");
    if (profile.time < 2 * profile.warning)
      note(name.source(), "time (" + exact_duration(static_cast<double>(profile.time)) +
                              ") must be at least twice warning (" +
                              exact_duration(static_cast<double>(profile.warning)) +
                              "): raise time or lower warning");
    if (profile.runs_per_gpu > 1 && profile.gpus.empty())
      note(name.source(), "runs-per-gpu needs gpus: add gpus = \"1\" or leave it out");
  }

  void read_key(SlurmProfile& profile, const toml::key& key, const toml::node& value) {
    const std::string_view name = key.str();
    for (const TextKey& each : kTexts)
      if (name == each.name) return read_text(profile.*each.field, name, value);
    for (const NumberKey& each : kNumbers)
      if (name == each.name) return read_number(profile.*each.field, name, value);
    for (const NumberKey& each : kDurations)
      if (name == each.name) return read_duration(profile.*each.field, name, value);
    if (name == "extra") return read_extra(profile, value);
    const std::string hint = lcsm::did_you_mean(name, known_keys());
    note(key.source(), "unknown key '" + std::string(name) + "'" +
                           (hint.empty() ? "; expected one of " + joined(known_keys()) : hint));
  }

  void read_text(std::string& into, std::string_view name, const toml::node& node) {
    const auto text = node.value_exact<std::string>();
    if (text && !text->empty() && printable(*text))
      into = *text;
    else
      note(node.source(), "'" + std::string(name) + "' must be a word in quotes, without blanks");
  }

  void read_number(std::int64_t& into, std::string_view name, const toml::node& node) {
    const auto number = node.value_exact<std::int64_t>();
    if (number && *number >= 1 && *number <= kMostNumber)
      into = *number;
    else
      note(node.source(), "'" + std::string(name) + "' must be an integer from 1 to " +
                              std::to_string(kMostNumber));
  }

  void read_duration(std::int64_t& into, std::string_view name, const toml::node& node) {
    const auto text = node.value_exact<std::string>();
    if (!text) return note(node.source(), "'" + std::string(name) + "' must be like \"4h\"");
    try {
      const double seconds = seconds_of(*text);
      if (seconds < 1 || seconds > kMostSeconds)
        return note(node.source(), "'" + std::string(name) + "' must be from 1s to 366d");
      into = static_cast<std::int64_t>(std::floor(seconds));
    } catch (const std::invalid_argument& error) {
      note(node.source(), error.what());
    }
  }

  void read_extra(SlurmProfile& profile, const toml::node& node) {
    if (!node.is_array())
      return note(node.source(), "'extra' must be a list: extra = [\"--constraint=a100\"]");
    for (const toml::node& each : *node.as_array()) {
      const std::string option = each.value_exact<std::string>().value_or("");
      const std::string name = option.substr(0, option.find('='));
      if (!option.starts_with("--") || name.size() < 3 || !printable(name) ||
          option.find_first_of("\n\r") != std::string::npos)
        note(each.source(), "an option of sbatch must be like \"--constraint=a100\"");
      else if (std::ranges::any_of(own_options(), [&](const std::string& own) {
                 return own.starts_with(name);  // sbatch takes unambiguous beginnings
               }))
        note(each.source(), "'" + name + "' is set by the submission: remove it");
      else
        profile.extra.push_back(option);
    }
  }

  std::string_view text_;
  const std::string& path_;
  std::vector<SourceError> errors_;
  std::vector<Found> found_;
};

// As sbatch reads it: "1-02:03:04".
std::string time_limit(std::int64_t seconds) {
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  return std::to_string(seconds / 86400) + "-" + two(seconds / 3600 % 24) + ":" +
         two(seconds / 60 % 60) + ":" + two(seconds % 60);
}

}  // namespace

std::vector<SlurmProfile> parse_slurm_profiles(std::string_view text, const std::string& path) {
  return Reader(text, path).read();
}

std::vector<SlurmProfile> read_slurm_profiles(const std::string& path) {
  return parse_slurm_profiles(read_toml_file(path), path);
}

const SlurmProfile& choose_profile(const std::vector<SlurmProfile>& profiles,
                                   const std::string& name) {
  std::vector<std::string> names;
  for (const SlurmProfile& each : profiles) {
    if (each.name == name || (name.empty() && profiles.size() == 1)) return each;
    names.push_back(each.name);
  }
  if (name.empty())
    throw std::invalid_argument("several profiles: choose one of " + joined(names) +
                                " with --profile");
  const std::string hint = lcsm::did_you_mean(name, names);
  throw std::invalid_argument("unknown profile '" + name + "'" +
                              (hint.empty() ? "; expected one of " + joined(names) : hint));
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
