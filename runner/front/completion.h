// What may stand next on a command line: found by walking the verbs and options of the CLI::App.
// The shells' scripts (`lcsm completions bash`) only carry words here and answers back.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct Candidate {
  std::string word;
  std::string help;  // one line, may be empty
};

// The values that an option or positional may have. It may return more than fit `prefix`; the
// words typed before, the verb's name first, are there for completers that depend on an option.
using Completer = std::function<std::vector<Candidate>(const std::string& prefix,
                                                       const std::vector<std::string>& before)>;
using SimpleCompleter = std::function<std::vector<Candidate>(const std::string& prefix)>;

void complete_with(CLI::Option* option, Completer completer);
void complete_with(CLI::Option* option, SimpleCompleter completer);

// One of a few known values: completed, listed in the error, mistypes recognised.
CLI::Option* one_of(CLI::Option* option, std::vector<Candidate> values);

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  // the shell should offer its own file names
};

// `words`: all after the program's name, the last one unfinished (it may be empty).
Completion complete(const CLI::App& app, std::vector<std::string> words);

// The hidden verb behind the scripts: `__complete bash LINE WORD`, `__complete zsh WORDS...`,
// `__complete fish WORDS...`. Never throws; one answer a line.
inline constexpr std::string_view kCompleteVerb = "__complete";
std::string answer_completion(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace runner
