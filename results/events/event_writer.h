// The one writer of an event file.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "lcsm/files/open_file.h"
#include "results/events/event.h"
#include "results/events/event_reader.h"

namespace results {

double seconds_since_1970();

// Another process holds the file.
struct BeingWritten : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Every line reaches the file in one write. Whatever fails throws std::system_error and leaves the
// file with whole lines only, so that the caller may go on when there is room again.
class EventWriter {
 public:
  using Clock = std::function<double()>;

  // Makes `folder`/events.jsonl with its run line, or opens what is there: its run must be that of
  // `run`, all of its lines good; a torn last one is cut. Throws std::invalid_argument for another
  // run, EventError for a bad line, std::runtime_error when another process writes it.
  EventWriter(const std::filesystem::path& folder, const RunLine& run,
              Clock clock = seconds_since_1970);

  // Opens what is there; for those who end an attempt that could not end itself.
  explicit EventWriter(const std::filesystem::path& folder, Clock clock = seconds_since_1970);

  // An AttemptLine first; after an EndLine only an AttemptLine; never a RunLine. Otherwise throws
  // std::logic_error.
  void append(const Line& line);

  // Returns when all lines are on the disk. Call it where a checkpoint is.
  void sync();

  const Position& position() const { return position_; }
  std::int64_t cut() const { return cut_; }  // bytes of a torn line that opening removed

 private:
  void open_file(int flags);
  void read_all(const RunLine* expected);
  void write(const Event& event);
  void check_order(const Line& line) const;

  std::filesystem::path path_;
  Clock clock_;
  lcsm::OpenFile file_;
  Position position_;
  std::int64_t cut_ = 0;
};

}  // namespace results
