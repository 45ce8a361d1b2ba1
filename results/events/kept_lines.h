// Decides which lines of an event file count.
#pragma once

#include <cstdint>
#include <vector>

#include "results/events/event.h"

namespace results {

// Lines that earlier attempts wrote after the checkpoint that a later attempt resumes from no
// longer count.
class KeptLines {
 public:
  void note(const Line& line, std::int64_t number);
  // True if data that was written up to a line still counts.
  bool counts(std::int64_t number) const;
  // The segment that a line was written to first.
  std::int64_t segment_of(std::int64_t number) const;

 private:
  struct Attempt {
    std::int64_t line = 0, from_line = 0, segment = 0;
  };
  std::vector<Attempt> attempts_;
};

}  // namespace results
