// Patterns of codes: * matches any text, ? any character, [0-3] a set, {0,4,5} one of several
// words.
#include <fnmatch.h>

#include <algorithm>

#include "lcsm/base/nearest.h"
#include "lcsm/code/code.h"

namespace lcsm {
namespace {

constexpr std::size_t kMostAlternatives = 256;

// "a{b,c}d" -> "abd", "acd"; fnmatch does not support braces.
std::vector<std::string> alternatives(std::string_view pattern) {
  std::vector<std::string> open = {std::string(pattern)}, done;
  while (!open.empty()) {
    const std::string text = open.back();
    open.pop_back();
    const std::size_t left = text.find('{'), right = text.find('}', left);
    if (left == std::string::npos || right == std::string::npos) {
      done.push_back(text);
      continue;
    }
    for (std::size_t start = left + 1; start <= right;) {
      const std::size_t end = std::min(text.find(',', start), right);
      open.push_back(text.substr(0, left) + text.substr(start, end - start) +
                     text.substr(right + 1));
      if (open.size() + done.size() > kMostAlternatives)
        throw CodeError(left + 1, "the braces expand to more than 256 patterns");
      start = end + 1;
    }
  }
  return done;
}

// Refuses a pattern that matches no code: a misspelled word in braces would otherwise go unnoticed.
[[noreturn]] void refuse_unmet(const std::string& head, const Catalogue& catalogue) {
  if (const std::size_t open = head.find_first_of("{}"); open != std::string::npos)
    throw CodeError(open + 1, "unmatched '" + head.substr(open, 1) + "' in '" + head + "'");
  if (is_pattern(head))
    throw CodeError(1, "no code matches '" + head.substr(0, 40) +
                           "'; 'lcsm codes' lists the oscillations and activations");
  try {
    parse_code(head, catalogue);
  } catch (const CodeError& error) {
    throw CodeError(1, "'" + head + "': " + error.what(), error.unknown);
  }
  throw CodeError(1, "no code is written '" + head + "'");
}

}  // namespace

bool is_pattern(std::string_view text) {
  return text.find_first_of("*?[{") != std::string_view::npos;
}

bool matches(std::string_view pattern, std::string_view text) {
  for (const std::string& each : alternatives(pattern))
    if (fnmatch(each.c_str(), std::string(text).c_str(), FNM_NOESCAPE) == 0) return true;
  return false;
}

std::vector<Code> all_codes(const Catalogue& catalogue) {
  std::vector<Code> codes;
  const int activations = static_cast<int>(activation_rows().size());
  for (const Oscillation& oscillation : catalogue.all()) {
    for (int cell = 0; cell < 4 * activations; ++cell) {
      Code code;
      code.e = cell / (2 * activations);
      code.s = cell / activations % 2;
      code.a = cell % activations;
      code.o = oscillation.name;
      if (oscillation.whole && (code.e + code.s != 2 || code.a != 0)) continue;
      try {
        codes.push_back(parse_code(to_string(code, catalogue), catalogue));
      } catch (const CodeError&) {  // a gate that uses e_k with a static e
      }
    }
  }
  return codes;
}

Selection select_codes(std::string_view pattern, const Catalogue& catalogue) {
  const std::size_t at = pattern.find('@');
  if (!is_pattern(pattern.substr(0, at))) return {{parse_code(pattern, catalogue)}, {}};
  if (const std::size_t nul = pattern.find('\0'); nul != std::string_view::npos)
    throw CodeError(nul + 1, "a code cannot contain this character");
  const std::vector<std::string> heads = alternatives(pattern.substr(0, at));
  const std::string options(at == std::string_view::npos ? "" : pattern.substr(at));
  std::vector<bool> met(heads.size());
  Selection result;
  std::size_t column = 0;
  for (const Code& code : all_codes(catalogue)) {
    const std::string text = to_string(code, catalogue);
    bool hit = false;
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (fnmatch(heads[i].c_str(), text.c_str(), FNM_NOESCAPE) == 0) hit = met[i] = true;
    if (!hit) continue;
    try {
      result.codes.push_back(parse_code(text + options, catalogue));
    } catch (const CodeError& error) {
      column = at + error.column - text.size();
      result.left_out.push_back(text + ": " + error.what());
    }
  }
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (!met[i]) refuse_unmet(heads[i], catalogue);
  if (result.codes.empty())
    throw CodeError(column, "no code takes these options: " + result.left_out[0]);
  return result;
}

}  // namespace lcsm
