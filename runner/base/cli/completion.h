// Completes a command line by walking the verbs and options of a program. The shell scripts (`lcsm
// completions bash`) only pass the words in and the answers back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  // the shell should offer its own file names
};

// `words`: the words after the program's name. The last one is unfinished and may be empty.
Completion complete(const Verb& program, std::vector<std::string> words);

// The hidden verb behind the scripts: `__complete bash LINE WORD`, `__complete zsh WORDS...`,
// `__complete fish WORDS...`. Never throws. Prints one answer per line.
inline constexpr std::string_view kCompleteVerb = "__complete";
std::string answer_completion(const Verb& program, const std::vector<std::string>& arguments);

}  // namespace runner
