#include "runner/sweeps/plan/run_feed.h"

#include <sys/stat.h>

#include <system_error>

#include "results/events/event_file.h"

namespace runner {
namespace {

constexpr std::size_t kLately = 32;  // lines that the speed is computed from

}  // namespace

RunFeed::RunFeed(const std::filesystem::path& folder)
    : folder_(folder), file_(results::event_file(folder)) {}

// A process that takes the run over writes to another file.
void RunFeed::follow() {
  std::filesystem::path newest = results::event_file(folder_);
  if (newest == file_) return;
  *this = RunFeed(folder_);
}

bool RunFeed::refresh() {
  follow();
  struct stat facts = {};
  if (!trouble_.empty() || stat(file_.c_str(), &facts) != 0 || facts.st_size == seen_bytes_)
    return false;
  const std::int64_t lines = position_.lines;
  try {
    results::EventReader reader(file_, position_);
    while (const auto event = reader.next()) take(*event);
    position_ = reader.position();
    seen_bytes_ = position_.offset + reader.torn();
  } catch (const results::EventError& error) {
    trouble_ = file_.lexically_relative(folder_).string() + ":" + error.place();
    return true;
  } catch (const std::system_error&) {
    return false;  // the file was removed meanwhile
  }
  return position_.lines > lines;
}

void RunFeed::take(const results::Event& event) {
  progress_.heard = event.time;
  if (const auto* attempt = std::get_if<results::AttemptLine>(&event.line)) {
    progress_.attempts = event.attempt;
    progress_.saved = attempt->from_step;
    progress_.last = results::RunState::kRunning;
    progress_.message.clear();
    progress_.steps_per_second = kUnknown;
    steps_.clear();
    take_step(attempt->from_step, event.time);
  } else if (const auto* line = std::get_if<results::MetricsLine>(&event.line)) {
    for (const auto& [name, value] : line->values) {
      progress_.metrics[name].add(line->step, value);
      if (name == "train.loss") progress_.loss = value;
    }
    if (line->step > progress_.step) take_step(line->step, event.time);
  } else if (const auto* artefact = std::get_if<results::ArtefactLine>(&event.line)) {
    if (artefact->kind == "checkpoint" || artefact->kind == "best")
      progress_.saved = artefact->step;
  } else if (const auto* message = std::get_if<results::MessageLine>(&event.line)) {
    if (message->level != "info") progress_.said = message->text;
  } else if (const auto* end = std::get_if<results::EndLine>(&event.line)) {
    progress_.last = end->state;
    progress_.message = end->message;
    progress_.step = end->step;
  }
}

// An attempt may resume from before the step at which the last one was killed.
void RunFeed::take_step(std::int64_t step, double time) {
  progress_.step = step;
  steps_.emplace_back(step, time);
  if (steps_.size() > kLately) steps_.pop_front();
  const double seconds = time - steps_.front().second;
  if (steps_.size() > 1 && seconds > 0)
    progress_.steps_per_second = static_cast<double>(step - steps_.front().first) / seconds;
}

}  // namespace runner
