// Reads an event file from its start, or from where an earlier reader stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "results/events/event.h"

namespace results {

// The state after a complete line, from which reading can continue.
struct Position {
  std::int64_t offset = 0;  // bytes
  std::int64_t lines = 0;
  std::int64_t attempt = 0;
  bool ended = false;     // the last line was an EndLine
  std::uint32_t crc = 0;  // of all lines so far
  bool operator==(const Position&) const = default;
};

// True if the file still has the lines that were read up to `at`. The last line's checksum covers
// them all.
bool same_up_to(const std::filesystem::path& file, const Position& at);

// A bad line: "FILE:17: expected ..., got ...".
class EventError : public std::runtime_error {
 public:
  EventError(const std::filesystem::path& file, std::int64_t line, const std::string& what)
      : std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what),
        place_(std::to_string(line) + ": " + what) {}
  const std::string& place() const { return place_; }  // "17: expected ..., got ..."

 private:
  std::string place_;
};

class EventReader {
 public:
  // Reads the current content. Throws std::system_error when the file cannot be read.
  explicit EventReader(const std::filesystem::path& file, const Position& from = {});

  // The next event, or nullopt at the end. Throws EventError at a bad line. A last line whose
  // checksum is wrong or missing is torn, not bad: it is left out.
  std::optional<Event> next();

  const Position& position() const { return position_; }  // after what next() returned
  std::string text_up_to_position() const;                // from where reading began
  std::int64_t torn() const { return torn_; }             // bytes left out at the end

 private:
  std::filesystem::path file_;
  std::string text_;  // from position `start_`
  std::int64_t start_ = 0;
  Position position_;
  std::int64_t torn_ = 0;
};

// True if the run of this folder trained to its end.
bool is_done(const std::filesystem::path& folder);

}  // namespace results
