// Answers the scripts of the shells; only this file knows how each splits and quotes words.
#include "runner/base/cli/completion.h"
#include "runner/base/cli/shell_words.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kFiles = ":files\n";

// True for a word that is not complete yet: "--scale=", "1-9-", "1-9-1-0@", "data/".
bool continues(const std::string& word) {
  return !word.empty() && std::string_view("=-@,/").find(word.back()) != std::string_view::npos;
}

// bash replaces only `replaced`, the end of the word after its last word break ('=', ':', '@'), and
// inserts our answer unchanged: so we cut off the start, quote the rest and add the blank.
std::string for_bash(const Verb& program, const std::string& line, const std::string& replaced) {
  ShellLine typed = split_shell_line(line);
  typed.words.erase(typed.words.begin());
  if (typed.words.empty()) return "";
  const std::string prefix = typed.words.back();
  const std::string tail = split_shell_line(replaced).words.back();
  const std::size_t kept = prefix.ends_with(tail) ? prefix.size() - tail.size() : 0;
  const Completion answer = complete(program, typed.words);
  if (answer.files) return std::string(kFiles);
  std::string text;
  for (const Candidate& candidate : answer.candidates) {
    const std::string rest = candidate.word.substr(kept);
    if (typed.open_quote != '\0')
      text += rest;
    else
      text += backslash_quoted(rest) + (continues(candidate.word) ? "" : " ");
    text += '\n';
  }
  return text;
}

std::string with_help(const Completion& answer) {
  if (answer.files) return std::string(kFiles);
  std::string text;
  for (const Candidate& candidate : answer.candidates) {
    text += candidate.word;
    if (!candidate.help.empty()) text += "\t" + candidate.help;
    text += '\n';
  }
  return text;
}

}  // namespace

std::string answer_completion(const Verb& program, const Words& arguments) {
  try {
    if (arguments.size() == 3 && arguments[0] == "bash")
      return for_bash(program, arguments[1], arguments[2]);
    if (arguments.size() < 2) return "";
    Words words(arguments.begin() + 1, arguments.end());
    // fish passes the unfinished word as it was typed, zsh without its quotes.
    if (arguments[0] == "fish") words.back() = split_shell_line(words.back()).words.back();
    return with_help(complete(program, words));
  } catch (const std::exception&) {
    return "";  // a Tab must never print an error into the command line
  }
}

}  // namespace runner
