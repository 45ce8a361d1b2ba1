// Finds the finished run whose weights another run starts from: model.from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/config/run/run_config.h"

namespace runner {

// A run that is done, and its checkpoint at the best step.
struct StartRun {
  std::string id, sha256;  // of its weights
  std::int64_t step = 0;
  std::shared_ptr<const RunConfig> config;
};

// Reads each run and searches each sweep once, however many points start from it.
class StartRuns {
 public:
  explicit StartRuns(std::filesystem::path workspace) : workspace_(std::move(workspace)) {}

  // Replaces model.from, the first digits of an id, a sweep's name or its file, by the run's full
  // id, and sets model.from_content. Keeps both, once pinned, if the start run is gone. Throws
  // DataMissing if no matching run is done, std::invalid_argument if several match or the model or
  // tokens differ.
  void pin(RunConfig& config);

  // Like pin, without changing the configuration; nullopt if model.from is empty or the run is
  // gone.
  std::optional<StartRun> find(const RunConfig& config);

 private:
  const StartRun& read(const std::string& id);
  std::string named(const std::string& digits) const;  // "" if no id begins with them
  const std::vector<std::string>& done_of(const std::string& sweep);  // ids
  std::string of_sweep(const std::string& from, const RunConfig& config);

  std::filesystem::path workspace_;
  std::map<std::string, StartRun> known_;                    // by id
  std::map<std::string, std::vector<std::string>> done_of_;  // by sweep
};

// The reason, a sentence, why the model of `config` cannot start from the weights of `from`; "" if
// it can.
std::string why_unlike(const RunConfig& from, const RunConfig& config);

}  // namespace runner
