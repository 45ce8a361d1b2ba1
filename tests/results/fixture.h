// Run folders for tests, written by the real writer with a counting clock.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "results/tables/roles.h"

namespace results {

// A temporary folder, removed by the destructor.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// 1000, 1001, 1002 ...
EventWriter::Clock counting_clock();

// "0000000700000000..."
std::string run_id(int number);

struct FixtureRun {
  int number = 1;  // its id
  std::string code = "1-1-1-0", task = "mqar", sweep = "";
  double lr = 1e-3;
  std::int64_t seed = 1;
  std::vector<double> valid = {30, 25, 24};  // valid.ppl at steps 100, 200 ...
  double test = 24.5;                        // test.ppl; NaN: not measured
  std::string status = "done";  // "": killed; "running": a process writes it until Scratch ends
  std::string message = "";
  Values more = {};  // further parameters
  std::string commit = "c0ffee", diff = "";
  std::string identity = "";  // canonical JSON
  std::string metric = "ppl";
  double params = 0, state = 0;          // sizes of its model; 0: not reported
  std::string host = "here", text = "";  // facts of its attempt; "": not told
  double speed = 0;                      // time.tokens_per_second; 0: not measured
  std::int64_t tested_at = 0;            // the step of test.ppl; 0: the last
};

RunLine run_line(const FixtureRun& run);

// The budgets among run_line's parameters.
inline constexpr std::array<std::string_view, 3> kTestBudgets = {"optim.steps", "optim.epochs",
                                                                 "optim.tokens"};
inline constexpr std::array<std::string_view, 2> kTestModels = {"model.code", "model.family"};
inline constexpr Roles kTestRoles = {.seed = "seed",
                                     .rate = "optim.lr",
                                     .steps = "optim.steps",
                                     .budgets = kTestBudgets,
                                     .task = "task.name",
                                     .models = kTestModels,
                                     .start = "model.from_content",
                                     .text = "task.content"};

// Writes the run into `workspace`. Returns its folder.
std::filesystem::path write_run(const std::filesystem::path& workspace, const FixtureRun& run);

// Runs with a row in every table. Never changed: the old databases in golden/ were built from them.
void golden_runs(const std::filesystem::path& workspace);

// A sweep "marks" in which every mark of a table occurs.
void marked_runs(const std::filesystem::path& workspace);

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace results
