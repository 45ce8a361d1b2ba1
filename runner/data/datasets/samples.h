// Examples of a data file for people to look at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/png.h"

namespace runner {

// Renders an example as one line, or as a picture of block characters below a line. `name`: the
// data set's name.
std::string sample_text(const std::string& name, const DataFile& file, std::uint64_t example,
                        const Terminal& terminal);

// Draws all examples side by side in one picture. The higher the label, the brighter the frame.
Picture contact_sheet(const DataFile& file, const std::vector<std::uint64_t>& examples);

}  // namespace runner
