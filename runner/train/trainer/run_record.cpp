#include "runner/train/trainer/run_record.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lcsm/files/whole_file.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/run/run_line.h"
#include "runner/train/trainer/environment.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

void remove_leftovers(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::error_code kept;  // a file that cannot be removed does no harm
    if (lcsm::is_leftover(entry.path()) && entry.is_regular_file()) fs::remove(entry, kept);
  }
}

bool same_file(int a, int b) {
  struct stat first {
  }, second{};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

}  // namespace

RunRecord::RunRecord(const fs::path& workspace, const RunConfig& config, const ClaimHold* hold)
    : id_(run_id(config)), folder_(results::run_folder(workspace, id_)), hold_(hold) {
  lcsm::create_folder(folder_);
  segment_ = hold_ == nullptr ? results::newest_segment(folder_) : hold_->segment();
  check();
  events_.emplace(folder_, run_line(config), results::seconds_since_1970, segment_);
  if (segment_ == 0) remove_leftovers(folder_);
  log_ = lcsm::OpenFile(folder_ / results::kLogFile, O_WRONLY | O_CREAT | O_APPEND);
  stderr_is_log_ = log_.is_open() && same_file(log_.handle(), STDERR_FILENO);
  if (events_->cut() > 0)
    say("warning", "cut a torn last line of " + std::to_string(events_->cut()) + " bytes from " +
                       results::segment_name(segment_));
}

void RunRecord::check() const {
  if (hold_ != nullptr) hold_->check();
}

void RunRecord::sync() {
  check();
  events_->sync();
}

void RunRecord::begin_attempt(const RunConfig& config, results::Values environment,
                              std::int64_t from_step, std::int64_t from_line,
                              std::string_view diff) {
  check();
  const std::string kept = diff.empty() ? "" : results::keep_diff(folder_, diff);
  if (!kept.empty()) environment[std::string(results::kDiffFact)] = kept;
  lcsm::write_whole(folder_ / results::kConfigFile, toml_text(config, false));
  lcsm::write_whole(folder_ / results::kEnvironmentFile, json_text(environment));
  append(results::AttemptLine{from_step, from_line, environment});
  in_attempt_ = true;
}

void RunRecord::say(const std::string& level, const std::string& text) {
  const std::string line = "lcsm-train run: " + (level == "info" ? "" : level + ": ") + text + "\n";
  print_stderr(line);
  if (log_.is_open() && !stderr_is_log_) lcsm::write_all(log_.handle(), line);
  if (in_attempt_) append(results::MessageLine{level, text});
}

}  // namespace runner
