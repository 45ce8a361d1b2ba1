// Cuts the training text into segments of a random number of chunks (MEGA, arXiv 2209.10655,
// appendix D.4). Each epoch cuts the text differently, with equal numbers of segments per size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runner/config/run/run_config.h"

namespace runner {

struct Segment {
  std::uint64_t first = 0;  // token
  std::int64_t tokens = 0;
};

class Segments {
 public:
  // `tokens`: the length of the text. A remainder shorter than the least segment is left out.
  // Throws std::invalid_argument if the text is too short, or too long to number its segments.
  Segments(const RunConfig& config, std::uint64_t tokens);

  std::size_t count() const { return sizes_.size(); }  // in an epoch

  // The examples of an epoch, as arguments of of(). If shuffled, a batch has segments of about
  // equal lengths; otherwise they are in the order of the text, and every epoch cuts the text
  // equally.
  std::vector<std::uint32_t> order(bool shuffled, std::size_t batch, std::uint64_t seed,
                                   std::uint64_t epoch) const;

  // Example i is the segment of least + i % span chunks that begins with chunk i / span.
  Segment of(std::uint32_t example) const;

 private:
  std::int64_t chunk_ = 0;              // tokens
  std::uint32_t least_ = 0, span_ = 0;  // the fewest chunks; the number of possible counts
  std::vector<std::uint32_t> sizes_;    // chunks of each segment
};

// nullopt without task.segments.
std::optional<Segments> segments_in(const RunConfig& config, std::uint64_t tokens);

// The mean length of a text's training examples, in tokens.
double mean_length(const RunConfig& config);

}  // namespace runner
