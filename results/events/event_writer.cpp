#include "results/events/event_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "lcsm/files/whole_file.h"
#include "results/events/event_file.h"
#include "results/events/event_text.h"
#include "results/events/run_folder.h"
#include "results/files/file_lock.h"

namespace results {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw std::system_error(errno, std::generic_category(), file.string() + " " + what);
}

}  // namespace

double seconds_since_1970() {
  using Milliseconds = std::chrono::duration<std::int64_t, std::milli>;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<double>(std::chrono::duration_cast<Milliseconds>(now).count()) / 1000;
}

EventWriter::EventWriter(const std::filesystem::path& folder, const RunLine& run, Clock clock,
                         std::int64_t segment)
    : path_(folder / segment_name(segment)), segment_(segment), clock_(std::move(clock)) {
  begin_segment(folder);
  open_file(O_RDWR | O_CREAT | O_APPEND);
  read_all(&run);
  if (position_.lines > 0) return;
  write(Event{1, 0, clock_(), run});
  sync();
  lcsm::sync_folder(path_.parent_path());
}

EventWriter::EventWriter(const std::filesystem::path& folder, Clock clock)
    : path_(event_file(folder)), segment_(newest_segment(folder)), clock_(std::move(clock)) {
  open_file(O_RDWR | O_APPEND);
  read_all(nullptr);
  if (position_.lines == 0) throw EventError(path_, 1, "expected the run line, got none");
}

void EventWriter::begin_segment(const std::filesystem::path& folder) {
  const std::int64_t newest = newest_segment(folder);
  if (newest > segment_)
    throw BeingWritten(path_.string() + ": expected no later segment, got " + segment_name(newest) +
                       ": another process has taken this run over");
  if (segment_ == 0 || newest == segment_) return;
  std::filesystem::create_directory(path_.parent_path());
  lcsm::sync_folder(folder);
  if (!std::filesystem::exists(folder / segment_name(newest))) return;
  EventReader reader(folder / segment_name(newest));
  while (reader.next()) continue;
  lcsm::write_whole(path_, reader.text_up_to_position());
}

void EventWriter::open_file(int flags) {
  file_ = lcsm::OpenFile(path_, flags);
  if (!file_.is_open()) fail(path_, "cannot be opened");
  if (!lock_for_writing(file_.handle()))
    throw BeingWritten(path_.string() +
                       ": expected no other writer, got one: another process is training this "
                       "run; wait for it to end, or stop it");
}

void EventWriter::read_all(const RunLine* expected) {
  EventReader reader(path_);
  while (const auto event = reader.next()) {
    const RunLine* found = std::get_if<RunLine>(&event->line);
    if (found != nullptr && expected != nullptr && found->run != expected->run)
      throw std::invalid_argument(path_.string() + ":1: expected run " + expected->run + ", got " +
                                  found->run);
    kept_.note(event->line, event->sequence);
  }
  position_ = reader.position();
  cut_ = reader.torn();
  if (cut_ > 0 && ftruncate(file_.handle(), position_.offset) != 0) fail(path_, "cannot be cut");
}

void EventWriter::check_order(const Line& line) const {
  const bool attempt = std::holds_alternative<AttemptLine>(line);
  if (std::holds_alternative<RunLine>(line))
    throw std::logic_error("[results::EventWriter] expected no second run line");
  if (!attempt && (position_.attempt == 0 || position_.ended))
    throw std::logic_error("[results::EventWriter] expected an attempt line first");
}

void EventWriter::append(const Line& line) {
  check_order(line);
  const bool attempt = std::holds_alternative<AttemptLine>(line);
  Event event{position_.lines + 1, position_.attempt + (attempt ? 1 : 0), clock_(), line};
  if (attempt) {
    Values& facts = std::get<AttemptLine>(event.line).environment;
    facts.erase(std::string(kSegmentFact));
    if (segment_ > 0) facts[std::string(kSegmentFact)] = segment_;
  }
  write(event);
}

// Lines that an earlier process has meanwhile appended to its own file are missing here.
bool EventWriter::counts(std::int64_t line, std::int64_t segment) const {
  if (segment_ > 0 && line > position_.lines) return false;
  return kept_.counts(line) && kept_.segment_of(line) == segment;
}

void EventWriter::write(const Event& event) {
  Position after = position_;
  const std::string text = sealed(text_of(event), &after.crc);
  if (!lcsm::write_all(file_.handle(), text)) {
    const int reason = errno;
    if (ftruncate(file_.handle(), position_.offset) != 0)
      fail(path_, "has a torn last line that cannot be cut");
    errno = reason;
    fail(path_, "cannot be written");
  }
  after.offset += static_cast<std::int64_t>(text.size());
  ++after.lines;
  after.attempt = event.attempt;
  after.ended = std::holds_alternative<EndLine>(event.line);
  position_ = after;
  kept_.note(event.line, event.sequence);
}

void EventWriter::sync() {
  if (fsync(file_.handle()) != 0) fail(path_, "cannot be synced");
  struct stat ours {
  }, there{};
  if (fstat(file_.handle(), &ours) != 0) fail(path_, "cannot be synced");
  const bool is_there = stat(path_.c_str(), &there) == 0;
  if (!is_there && errno != ENOENT && errno != ENOTDIR) return;  // the file system may answer again
  if (is_there && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino) return;
  errno = ESTALE;
  fail(path_, is_there ? "was replaced while it was written" : "was removed while it was written");
}

}  // namespace results
