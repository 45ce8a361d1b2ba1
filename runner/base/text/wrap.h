// Wraps text at words.
#pragma once

#include <string>

namespace runner {

enum class LongWords { kWhole, kCut };

// Appends the words and a newline. The page is already at column `indent`, where all further lines
// start. A word wider than a line stays whole or is cut.
void wrap_onto(std::string& page, const std::string& text, int indent, int width,
               LongWords long_words = LongWords::kWhole);

}  // namespace runner
