// Reads a user's own examples and splits them.
#pragma once

#include <array>
#include <vector>

#include "runner/data/own/own_sources.h"

namespace runner {

struct OwnExamples {
  std::array<std::vector<OwnExample>, 3> splits;  // no split and no text is empty
  std::uint32_t rows = 0, columns = 0;            // of pictures
  std::uint32_t channels = 1;
};

// Throw IntakeError with file and line.
OwnExamples read_own_texts(const RunConfig& config, const OwnSources& sources);
OwnExamples read_own_pictures(const RunConfig& config, const OwnSources& sources);

// The file and the line.
std::string place_of(const OwnSources& sources, const OwnExample& example);

// The labels of the training split: integers in numeric order, others in byte order. Throws
// IntakeError for fewer than two labels, too many, or a label that only another split has.
std::vector<std::string> labels_of(const OwnExamples& examples, const OwnSources& sources);

}  // namespace runner
