// One line of an event file and the event that it says.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "results/events/event.h"

namespace results {

inline constexpr std::string_view kEventFormat = "lcsm.events/1";

// What is wrong with a line, without its place.
class LineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The line without its checksum's end, and without a newline. Text that is no UTF-8 is repaired.
std::string text_of(const Event& event);

// The whole line, newline included. `crc` is that of the lines before, and then of this one too.
std::string sealed(const std::string& text, std::uint32_t* crc);

// Undoes `sealed`: the text in front of the checksum. Throws LineError when the checksum is not
// that of these bytes behind those lines.
std::string_view opened(std::string_view line, std::uint32_t* crc);

// Undoes `text_of`. Throws LineError with what was expected and what stands there.
Event parse_event(std::string_view text);

// The same for most metrics lines, ten times as fast; false: ask parse_event.
bool parse_plain_metrics(std::string_view text, Event* event);

}  // namespace results
