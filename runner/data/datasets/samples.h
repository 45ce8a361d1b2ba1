// Examples of a data file for people to look at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/png.h"

namespace runner {

// One line, or a picture made of blocks below one. `name` is that of its data set.
std::string sample_text(const std::string& name, const DataFile& file, std::uint64_t example,
                        const Terminal& terminal);

// All in one picture, side by side, each in a frame that is the brighter the higher its label.
Picture contact_sheet(const DataFile& file, const std::vector<std::uint64_t>& examples);

}  // namespace runner
