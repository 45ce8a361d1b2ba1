// The folder of one run, `runs/<id>/` of a workspace, and the names of its files.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace results {

inline constexpr std::string_view kRunsFolder = "runs";
inline constexpr std::string_view kEventFile = "events.jsonl";
inline constexpr std::string_view kConfigFile = "config.toml";
inline constexpr std::string_view kEnvironmentFile = "environment.json";
inline constexpr std::string_view kLogFile = "stderr.log";
inline constexpr std::string_view kMarksFolder = "sweeps";
// In an attempt's environment: the name of the file with the changes to its commit.
inline constexpr std::string_view kDiffFact = "diff";
// There, too: the hash of the texts of a task that names its own, which the run's id lacks.
inline constexpr std::string_view kTextFact = "text";

// 32 hex digits, lower case.
bool is_run_id(std::string_view name);

// The ids of the folders in `workspace`/runs, sorted; other names are ignored. A folder counts as
// soon as it exists, with or without an event file.
std::vector<std::string> run_ids(const std::filesystem::path& workspace);

// The entries of a folder; none if it does not exist. Throws std::system_error.
std::filesystem::directory_iterator entries_of(const std::filesystem::path& folder);

std::filesystem::path run_folder(const std::filesystem::path& workspace, std::string_view id);

// Size of the event file in bytes; 0 if it does not exist.
std::int64_t event_bytes(const std::filesystem::path& folder);

// ----- Marks: the sweeps that a run is a point of, one file each, `sweeps/<name>.json` -----

struct SweepMark {
  std::string sweep;
  std::string title;
  std::string paper;                      // "lcsm/table4-o-types", may be empty
  std::string scale = {}, settings = {};  // "laptop", "optim.steps=100 seed=2", of --set
  auto operator<=>(const SweepMark&) const = default;
};

// Sweeps, scales, tags and hosts are names of files and folders.
bool is_sweep_name(std::string_view name);
inline constexpr std::string_view kSweepNameRule =
    "at most 100 ASCII letters, digits, '.', '_' and '-', beginning with a letter or digit";

// Atomic. Called by the program that starts the run. Throws std::invalid_argument for an invalid
// name.
void write_mark(const std::filesystem::path& folder, const SweepMark& mark);

// Sorted by sweep. Throws std::invalid_argument naming a file that cannot be read.
std::vector<SweepMark> read_marks(const std::filesystem::path& folder);

// ----- Diffs: the changes to the commit that a program was built from, `source-SUM.diff` -----

// Returns the name of the file, equal for equal diffs; "" if it cannot be written, which is no
// reason to end a run.
std::string keep_diff(const std::filesystem::path& folder, std::string_view diff);

bool is_diff_name(std::string_view name);

}  // namespace results
