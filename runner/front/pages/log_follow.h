// Follows the events of a run as they are written.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "results/events/event_reader.h"
#include "runner/cluster/launch/engines.h"

namespace runner {

// Formats one line of `lcsm log`: time, attempt, kind, text.
std::string log_line(const results::Event& event);

// Reads new complete lines of a run's events, in order. The file only grows, except that the next
// attempt cuts a torn last line. A process that takes over the run writes another file, which
// begins with the lines of this one.
class EventTail {
 public:
  explicit EventTail(const std::filesystem::path& folder) : folder_(folder) {}
  // Throws results::EventError for a bad line.
  void read(const std::function<void(const results::Event& event)>& visit);
  bool ended() const { return at_.ended; }  // by its last line

 private:
  std::filesystem::path folder_, file_;
  results::Position at_;
};

// True if more events may come: the run is being written, or an `lcsm run` or a queued array task
// may restart it.
bool may_go_on(const std::filesystem::path& workspace, const std::string& id, bool ended,
               Engines& engines);

}  // namespace runner
