// Explains a run's state and what to do about it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/workspace/end_note.h"

namespace runner {

struct RunWhy {
  std::string id;
  results::RunState state = results::RunState::kNew;
  std::string point;                 // "model.code = ssm of quickstart, scale paper", where known
  std::vector<std::string> because;  // one reason per line
  std::string set_by;                // who requested the state, or saw the run end; may be empty
  std::string next;                  // the command to type
  std::int64_t steps = 0, attempts = 0;
  std::optional<EndNote> end;         // how the last process ended, if its `lcsm run` saw it
  std::vector<std::string> last_log;  // the last lines of stderr.log
  std::filesystem::path folder;       // need not exist
};

// `start`: the first digits of an id. Throws std::invalid_argument if no run or point has it.
RunWhy why_of(const std::filesystem::path& workspace, const std::string& start);

}  // namespace runner
