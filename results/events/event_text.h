// Formats and parses one line of an event file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "results/events/event.h"

namespace results {

inline constexpr std::string_view kEventFormat = "lcsm.events/1";

// The problem with a line; the caller adds file and line number.
class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The line up to its checksum, without a newline. Text that is not valid UTF-8 is repaired.
std::string text_of(const Event& event);

// Returns the whole line with its checksum and newline. `crc` covers the lines before; it is
// updated to cover this line too.
std::string sealed(const std::string& text, std::uint32_t* crc);

// Undoes `sealed`: returns the text before the checksum. Throws LineError when the checksum does
// not match these bytes after those lines.
std::string_view opened(std::string_view line, std::uint32_t* crc);

// Undoes `text_of`. Throws LineError with what was expected and what was found.
Event parse_event(std::string_view text);

// Parses most metrics lines ten times as fast as parse_event. Returns false for any other line.
bool parse_plain_metrics(std::string_view text, Event* event);

}  // namespace results
