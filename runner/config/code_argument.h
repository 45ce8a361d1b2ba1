// A code typed on a command line, with the catalogue that it is read against.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/code.h"

namespace runner {

struct CodeArgument {
  lcsm::Catalogue catalogue;
  lcsm::Code code;
};

// `files`: oscillations of the user's own, beside those that are found. Throws
// std::invalid_argument with a caret under the mistake.
CodeArgument read_code(const std::string& text, const std::vector<std::string>& files);

// Several, each a code or a pattern; codes named twice once, in the order given. Without patterns
// none, and the catalogue alone.
struct CodeSelection {
  lcsm::Catalogue catalogue;
  std::vector<lcsm::Code> codes;
};
CodeSelection read_codes(const std::vector<std::string>& patterns,
                         const std::vector<std::string>& files);

}  // namespace runner
