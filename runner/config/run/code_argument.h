// Parses a code from the command line, and loads its catalogue.
#pragma once

#include <string>
#include <vector>

#include "lcsm/code/code.h"

namespace runner {

struct CodeArgument {
  lcsm::Catalogue catalogue;
  lcsm::Code code;
};

// `files`: files with custom oscillations, besides those that are found. Throws
// std::invalid_argument with a caret under the mistake.
CodeArgument read_code(const std::string& text, const std::vector<std::string>& files);

// Every code that the words name, in order. A word is a code, a pattern, or an oscillation's name,
// which stands for its plain code. `complain` gets the codes that a pattern leaves out. Throws
// std::invalid_argument with a caret under the mistake.
std::vector<lcsm::Code> codes_named(const std::vector<std::string>& words,
                                    const lcsm::Catalogue& catalogue,
                                    void (*complain)(const std::string&));

// Several codes or patterns, in the order given and without duplicates. Without patterns only the
// catalogue is set.
struct CodeSelection {
  lcsm::Catalogue catalogue;
  std::vector<lcsm::Code> codes;
};
CodeSelection read_codes(const std::vector<std::string>& patterns,
                         const std::vector<std::string>& files);

}  // namespace runner
