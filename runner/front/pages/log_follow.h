// Follows the events of a run as they are written.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "results/events/event_reader.h"
#include "runner/cluster/hosts/others_watch.h"

namespace runner {

// One line as `lcsm log` prints it: time, attempt, what, text.
std::string log_line(const results::Event& event);

// New whole lines of a run's events, in order. Their file only grows, except that the next attempt
// cuts a torn last line; a run that resumes from a checkpoint is one more attempt. A process that
// takes the run over writes another file, which begins with the lines of this one.
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

// Whether more may come: the run is being written, or an `lcsm run` or an element in the queue may
// start it again.
bool may_go_on(const std::filesystem::path& workspace, const std::string& id, bool ended,
               OthersWatch& others);

}  // namespace runner
