// The checks of `lcsm doctor`. Each takes the facts as arguments, so that tests reach every verdict
// on any host.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lcsm/base/allowance.h"
#include "results/proofs/workspace.h"
#include "runner/base/host/resources.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

enum class State { kOk, kWarn, kFail };  // fail: data would be lost, or nothing can run

struct Check {
  std::string name;
  State state = State::kOk;
  std::string value;            // the finding
  std::string advice;           // what to do; empty if nothing
  nlohmann::ordered_json data;  // the facts as numbers and names
};

std::string state_name(State state);  // "ok", "warn", "fail"
State worst_of(const std::vector<Check>& checks);

// ----- Verdicts -----

Check file_system_check(const results::FileSystem& kind);
Check locks_check(const results::Proof& proof);
Check rename_check(const results::Proof& proof);
Check disk_check(const results::FileSystem& kind);
Check sqlite_check(const results::SqliteVersion& version, results::Reach reach);
Check cores_check(const lcsm::Allowance& allowed);
Check memory_check(const lcsm::Allowance& allowed);
Check gpu_check(const Gpus& gpus, const TrainProgram& train);
Check train_check(const TrainProgram& train);
Check engine_check(const std::string& name, EngineCheck check);
Check gnuplot_check(const Tool& gnuplot);

// ----- All of them, on this host -----

// A workspace that does not exist is not created; its nearest existing parent is tested instead.
std::vector<Check> check_workspace(const std::filesystem::path& workspace);

std::vector<Check> check_all(const std::filesystem::path& workspace);

}  // namespace runner
