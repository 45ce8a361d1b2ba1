// A user's own data as a data set: read, checked and written once for each content and reading.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/config/run_config.h"

namespace runner {

// Makes the configuration say what its data is: task.content, and of a user's own data also
// task.classes; such data is prepared first if it is not. Throws DataMissing, IntakeError,
// lcsm::WriteError, and std::invalid_argument if the configuration says something else.
void pin_data(RunConfig& config, const std::filesystem::path& workspace);

// What the recipe of a prepared data set says; empty if it is none of a user's own.
struct OwnNames {
  std::string from;                     // the last part of the path
  std::string tokens;                   // bytes, characters, words; "" of pictures
  std::vector<std::string> labels;      // by class
  std::vector<std::string> vocabulary;  // by token; of bytes: none
};
OwnNames own_names(std::string_view recipe);

}  // namespace runner
