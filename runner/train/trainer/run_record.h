// Writes a run's folder: configuration, environment, events, stderr.log.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "results/events/event_writer.h"
#include "runner/config/run/run_config.h"
#include "runner/workspace/claim_hold.h"

namespace runner {

class RunRecord {
 public:
  // Creates or opens the folder for the process with this claim, which must outlive the record.
  // Without a claim, continues the events that count. Throws as results::EventWriter does.
  RunRecord(const std::filesystem::path& workspace, const RunConfig& config,
            const ClaimHold* hold = nullptr);

  const std::string& id() const { return id_; }
  const std::filesystem::path& folder() const { return folder_; }

  std::int64_t lines() const { return events_->position().lines; }
  std::int64_t segment() const { return segment_; }
  bool counts(std::int64_t line, std::int64_t segment) const {
    return events_->counts(line, segment);
  }
  bool in_attempt() const { return in_attempt_; }

  // Writes config.toml, environment.json, the source diff of the program's build unless it is
  // empty, and the attempt's event.
  void begin_attempt(const RunConfig& config, results::Values environment, std::int64_t from_step,
                     std::int64_t from_line, std::string_view diff = "");

  void append(const results::Line& line) { events_->append(line); }
  void sync();

  // Throws RunFailure (busy) if another process has taken the run over.
  void check() const;

  // Writes to stderr and stderr.log; inside an attempt also an event. level: "info", "warning",
  // "error".
  void say(const std::string& level, const std::string& text);

 private:
  std::string id_;
  std::filesystem::path folder_;
  const ClaimHold* hold_ = nullptr;
  std::int64_t segment_ = 0;
  std::optional<results::EventWriter> events_;
  lcsm::OpenFile log_;
  bool stderr_is_log_ = false, in_attempt_ = false;
};

}  // namespace runner
