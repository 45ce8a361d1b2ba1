// What a run says while it says it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "results/events/event_reader.h"

namespace runner {

// One line as `lcsm log` prints it: time, attempt, what, text.
std::string log_line(const results::Event& event);

// Whole new lines of an event file, in order. A file only grows, but for a torn last line that the
// next attempt cuts; so a run that goes on from a checkpoint is one more attempt.
class EventTail {
 public:
  explicit EventTail(const std::filesystem::path& events) : events_(events) {}
  // Throws results::EventError for a bad line.
  void read(const std::function<void(const results::Event& event)>& visit);
  bool ended() const { return at_.ended; }  // the last line says so

 private:
  std::filesystem::path events_;
  results::Position at_;
};

// Whether more may come: the run is being written, or an `lcsm run` is there to start it again.
bool may_go_on(const std::filesystem::path& workspace, const std::string& id, bool ended);

}  // namespace runner
