#include "runner/front/pages/log_follow.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <utility>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/text/escape.h"
#include "runner/base/process/steady_time.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct Shown {
  std::string what, text;
};

struct Show {
  Shown operator()(const results::RunLine& line) const { return {"run", line.run}; }
  Shown operator()(const results::AttemptLine& line) const {
    return {"begins", fmt::format("from step {}", line.from_step)};
  }
  Shown operator()(const results::MetricsLine& line) const {
    std::string text = fmt::format("step {}", line.step);
    for (const auto& [name, value] : line.values) text += fmt::format("  {} {:.6g}", name, value);
    return {"metrics", text};
  }
  Shown operator()(const results::ArtefactLine& line) const {
    return {line.kind, fmt::format("{} at step {}", line.path, line.step)};
  }
  Shown operator()(const results::MessageLine& line) const { return {line.level, line.text}; }
  Shown operator()(const results::EndLine& line) const {
    return {
        std::string(stored_name(line.state)),
        fmt::format("at step {}{}{}", line.step, line.message.empty() ? "" : ": ", line.message)};
  }
};

}  // namespace

std::string log_line(const results::Event& event) {
  const Shown shown = std::visit(Show(), event.line);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}  {}  {:<12} {}",
                     fmt::gmtime(static_cast<std::time_t>(event.time)), event.attempt,
                     results::safe_text(shown.what), results::safe_text(shown.text));
}

void EventTail::read(const std::function<void(const results::Event& event)>& visit) {
  const fs::path file = results::event_file(folder_);
  if (!fs::exists(file)) return;
  const std::int64_t seen = at_.lines;
  if (std::exchange(file_, file) != file) at_ = {};
  results::EventReader reader(file, at_);
  while (const auto event = reader.next())
    if (event->sequence > seen) visit(*event);
  at_ = reader.position();
}

bool may_go_on(const fs::path& workspace, const std::string& id, bool ended, Engines& engines) {
  if (results::events_are_being_written(results::run_folder(workspace, id))) return true;
  return !ended && (who_runs(workspace) || !engines.running(steady_seconds()).empty());
}

}  // namespace runner
