// What a run writes to its folder: configuration, environment, events, stderr.log.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/events/event_writer.h"
#include "runner/config/run_config.h"

namespace runner {

class RunRecord {
 public:
  // Creates or opens the folder. Throws as results::EventWriter does.
  RunRecord(const std::filesystem::path& workspace, const RunConfig& config);

  const std::string& id() const { return id_; }
  const std::filesystem::path& folder() const { return folder_; }

  // How the last attempt ended; none if there was none, or it was killed.
  const std::optional<results::EndLine>& last_end() const { return last_end_; }
  std::int64_t lines() const { return events_->position().lines; }
  bool counts(std::int64_t line) const { return events_->counts(line); }
  bool in_attempt() const { return in_attempt_; }

  // Writes config.toml, environment.json, the diff that the program was built with, unless that is
  // empty, and the attempt's event.
  void begin_attempt(const RunConfig& config, results::Values environment, std::int64_t from_step,
                     std::int64_t from_line, std::string_view diff = "");

  void append(const results::Line& line) { events_->append(line); }
  void sync() { events_->sync(); }

  // To stderr and stderr.log; inside an attempt an event too. level: "info", "warning", "error".
  void say(const std::string& level, const std::string& text);

 private:
  std::string id_;
  std::filesystem::path folder_;
  std::optional<results::EventWriter> events_;
  std::optional<results::EndLine> last_end_;
  lcsm::OpenFile log_;
  bool stderr_is_log_ = false, in_attempt_ = false;
};

}  // namespace runner
