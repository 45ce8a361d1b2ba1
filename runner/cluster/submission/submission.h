// The snapshot of a sweep that array tasks read, taken at submission: the folder
// `submissions/TOKEN/` of the workspace. The programs are in `frozen/HASH/`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/events/run_folder.h"

namespace runner {

inline constexpr const char* kFrozenFolder = "frozen";

// Rules for every array task. Times in seconds.
struct ElementRules {
  double warning = 120;           // seconds from SIGUSR2 to the time limit
  std::int64_t runs_per_gpu = 1;  // at once
  std::int64_t jobs = 0;          // runs at once without GPUs; 0: the number of cores
  std::int64_t retries = 2;       // per array task, of a run whose failure may be temporary
  double timeout = 0;             // seconds per process; 0: none
  double grace = 60;              // between the request to end and the kill
  double stall = 600;             // seconds without an event and without CPU time until reported
  double beat = 10;               // between signs of life of a claim
  double silence = 120;           // without a sign of life until another array task takes over
  std::int64_t fruitless = 3;     // attempts in a row without a step: the run has failed
  std::int64_t node_fails = 3;    // failures in a row, beyond retries, that set a node aside
  bool operator==(const ElementRules&) const = default;

  // Sets the silence, with the default number of signs of life within it.
  void set_silence(double seconds) {
    beat *= seconds / silence;
    silence = seconds;
  }
};

struct SubmittedRun {
  std::string id, name;      // name: "model.code = ssm, seed = 1"
  std::string config;        // TOML, resolved
  double seconds = 0;        // expected
  double memory_bytes = 0;   // at once
  std::int64_t threads = 0;  // run.threads; 0: its share of the array task's cores
  double disk_bytes = 0;     // that the run may write, roughly
  bool operator==(const SubmittedRun&) const = default;
};

// The id of the run whose weights this run starts from (model.from); "": none.
std::string started_from(const SubmittedRun& run);

struct Submission {
  std::string token;    // letters, digits, '.', '_', '-'
  std::string program;  // the folder in `frozen/` that has `lcsm` and `lcsm-train`
  results::SweepMark mark;
  ElementRules rules = {};
  std::vector<SubmittedRun> runs = {};
  bool operator==(const Submission&) const = default;
};

// Writes the folder atomically: "submission.json", "runs.jsonl" with one line per run,
// "configs/ID.toml". Throws std::invalid_argument for a token that cannot name a folder or is in
// use, and std::system_error.
void write_submission(const std::filesystem::path& workspace, const Submission& submission);

// Throws std::runtime_error that names the file and line of an error.
Submission read_submission(const std::filesystem::path& folder);

// The ids of a submission's runs. Throws std::runtime_error.
std::vector<std::string> submitted_runs(const std::filesystem::path& workspace,
                                        const std::string& token);

std::string new_token(const std::string& sweep);  // "quickstart-3f9c21ab"

}  // namespace runner
