#include "results/events/event_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/read_file.h"
#include "results/events/event_file.h"
#include "results/events/event_text.h"
#include "results/files/checksum.h"

namespace results {
namespace {

// Checks that the event may follow the lines before it.
void check_order(const Event& event, const Position& at) {
  const auto expect = [](bool holds, const std::string& expected, std::int64_t got) {
    if (!holds) throw LineError("expected " + expected + ", got " + std::to_string(got));
  };
  expect(event.sequence == at.lines + 1, "seq " + std::to_string(at.lines + 1), event.sequence);
  const bool run = std::holds_alternative<RunLine>(event.line);
  const auto* attempt = std::get_if<AttemptLine>(&event.line);
  if (run != (at.lines == 0)) throw LineError("expected the run line first, and nowhere else");
  const std::int64_t wanted = at.attempt + (attempt != nullptr ? 1 : 0);
  expect(event.attempt == wanted, "attempt " + std::to_string(wanted), event.attempt);
  if (attempt != nullptr)
    expect(attempt->from_seq <= at.lines, "a from_seq of at most " + std::to_string(at.lines),
           attempt->from_seq);
  if (!run && attempt == nullptr && (at.attempt == 0 || at.ended))
    throw LineError("expected an attempt line before the other lines of the attempt");
}

// A few bytes on a disk may claim to be a terabyte.
const std::filesystem::path& checked_size(const std::filesystem::path& file) {
  constexpr std::uintmax_t kMost = std::uintmax_t{2} << 30;
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown && size > kMost)
    throw EventError(file, 1,
                     "expected at most " + std::to_string(kMost) + " bytes of events, got " +
                         std::to_string(size) + ": move the file away");
  return file;
}

}  // namespace

bool same_up_to(const std::filesystem::path& path, const Position& at) {
  if (at.offset == 0) return true;
  constexpr std::int64_t kBehind = 11;  // the checksum, its quote, the brace, the newline
  char digits[8];
  const lcsm::OpenFile file(path, O_RDONLY);
  return file.is_open() && at.offset >= kBehind &&
         pread(file.handle(), digits, sizeof digits, at.offset - kBehind) == sizeof digits &&
         std::string_view(digits, sizeof digits) == crc_text(at.crc);
}

EventReader::EventReader(const std::filesystem::path& file, const Position& from)
    : file_(file),
      text_(lcsm::read_file(checked_size(file), from.offset)),
      start_(from.offset),
      position_(from) {}

std::string EventReader::text_up_to_position() const {
  return text_.substr(0, static_cast<std::size_t>(position_.offset - start_));
}

std::optional<Event> EventReader::next() {
  const std::string_view rest =
      std::string_view(text_).substr(static_cast<std::size_t>(position_.offset - start_));
  const std::size_t end = rest.find('\n');
  const bool last = end == std::string_view::npos || end + 1 == rest.size();
  torn_ = 0;
  if (rest.empty()) return std::nullopt;
  Position after = position_;
  std::string_view text;
  try {
    if (end == std::string_view::npos) throw LineError("expected a newline at its end");
    text = opened(rest.substr(0, end), &after.crc);
  } catch (const LineError& error) {
    if (!last) throw EventError(file_, position_.lines + 1, error.what());
    torn_ = static_cast<std::int64_t>(rest.size());
    return std::nullopt;
  }
  try {
    Event event = parse_event(text);
    check_order(event, position_);
    after.offset += static_cast<std::int64_t>(end) + 1;
    ++after.lines;
    after.attempt = event.attempt;
    after.ended = std::holds_alternative<EndLine>(event.line);
    position_ = after;
    return event;
  } catch (const LineError& error) {
    throw EventError(file_, position_.lines + 1, error.what());
  }
}

bool is_done(const std::filesystem::path& folder) {
  const std::filesystem::path file = event_file(folder);
  if (!std::filesystem::exists(file)) return false;
  EventReader reader(file);
  bool done = false;
  while (const auto event = reader.next()) {
    const auto* end = std::get_if<EndLine>(&event->line);
    done = end != nullptr && end->state == RunState::kDone;
  }
  return done;
}

}  // namespace results
