// The only writer of an event file.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "lcsm/files/open_file.h"
#include "results/events/event.h"
#include "results/events/event_reader.h"
#include "results/events/kept_lines.h"

namespace results {

double seconds_since_1970();

// Thrown if another process is writing the file.
struct BeingWritten : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each line is one write. A failed write throws std::system_error and leaves only complete lines in
// the file, so that the caller can continue once there is room again.
class EventWriter {
 public:
  using Clock = std::function<double()>;

  // Creates `folder`/events.jsonl with its run line, or opens an existing file of this run and cuts
  // a torn last line. Throws std::invalid_argument for another run, EventError for a bad line,
  // BeingWritten while another process writes it. `segment` > 0: opens that segment, which begins
  // with the lines that count now; the caller holds the only claim with that number. Throws
  // BeingWritten also if a later segment exists.
  EventWriter(const std::filesystem::path& folder, const RunLine& run,
              Clock clock = seconds_since_1970, std::int64_t segment = 0);

  // Opens the existing file that counts, to end an attempt that could not end itself.
  explicit EventWriter(const std::filesystem::path& folder, Clock clock = seconds_since_1970);

  // The first line must be an AttemptLine, and so must the line after an EndLine; a RunLine is
  // never allowed. Otherwise throws std::logic_error. Adds the number of the segment to an
  // AttemptLine's environment.
  void append(const Line& line);

  // Returns once all lines are on disk. Call it before each checkpoint: it throws if the file was
  // removed or replaced, since the checkpoint would not belong to the events that count.
  void sync();

  const Position& position() const { return position_; }
  std::int64_t cut() const { return cut_; }  // bytes of the torn line that opening cut

  // True if a checkpoint that was written beside a segment, after `line` lines, counts.
  bool counts(std::int64_t line, std::int64_t segment = 0) const;

 private:
  void open_file(int flags);
  void begin_segment(const std::filesystem::path& folder);
  void read_all(const RunLine* expected);
  void write(const Event& event);
  void check_order(const Line& line) const;

  std::filesystem::path path_;
  std::int64_t segment_ = 0;
  Clock clock_;
  lcsm::OpenFile file_;
  Position position_;
  std::int64_t cut_ = 0;
  KeptLines kept_;
};

}  // namespace results
