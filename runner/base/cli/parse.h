// Parses a command line into the variables of the options.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

// The reason why a command line was refused.
struct Refusal {
  enum class Kind {
    kNoVerb,
    kUnknownOption,   // `got`
    kUnexpectedWord,  // `got`: too many arguments for the verb
    kMissing,         // a required option
    kValues,          // no value, or one too many
    kType,            // `got` is not of the option's type
    kOther,           // `text`
  };
  Kind kind = Kind::kOther;
  const OptionFacts* option = nullptr;  // the one at fault, if any
  std::string got = {}, text = {};
};

struct Parsed {
  enum class What { kRun, kHelp, kVersion, kRefused };
  What what = What::kRun;
  const Verb* verb = nullptr;  // the innermost one named
  Refusal refusal = {};
  std::string plain = {};  // with Look::kPlain: the help page or refusal that CLI11 prints
};

// Selects our help pages and usage errors, or those of CLI11.
enum class Look { kOurs, kPlain };

// `words`: those after the program's name.
Parsed parse(const Verb& program, const std::vector<std::string>& words, Look look = Look::kOurs);

}  // namespace runner
