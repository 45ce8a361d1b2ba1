#include "results/events/kept_lines.h"

#include <algorithm>

namespace results {

void KeptLines::note(const Line& line, std::int64_t number) {
  if (const auto* attempt = std::get_if<AttemptLine>(&line))
    attempts_.push_back({number, attempt->from_seq});
}

bool KeptLines::counts(std::int64_t number) const {
  return std::all_of(attempts_.begin(), attempts_.end(), [&](const Attempt& attempt) {
    return attempt.line <= number || attempt.from_line >= number;
  });
}

}  // namespace results
