#include "results/events/kept_lines.h"

#include <algorithm>

#include "results/events/event_file.h"

namespace results {

void KeptLines::note(const Line& line, std::int64_t number) {
  const auto* attempt = std::get_if<AttemptLine>(&line);
  if (attempt == nullptr) return;
  const auto fact = attempt->environment.find(std::string(kSegmentFact));
  const bool known = fact != attempt->environment.end();
  const auto* segment = known ? std::get_if<std::int64_t>(&fact->second) : nullptr;
  attempts_.push_back({number, attempt->from_seq, segment == nullptr ? 0 : *segment});
}

std::int64_t KeptLines::segment_of(std::int64_t number) const {
  std::int64_t segment = 0;
  for (const Attempt& attempt : attempts_)
    if (attempt.line <= number) segment = attempt.segment;
  return segment;
}

bool KeptLines::counts(std::int64_t number) const {
  return std::all_of(attempts_.begin(), attempts_.end(), [&](const Attempt& attempt) {
    return attempt.line <= number || attempt.from_line >= number;
  });
}

}  // namespace results
