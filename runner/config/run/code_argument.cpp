#include "runner/config/run/code_argument.h"

#include <algorithm>

#include "runner/base/files/source_error.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/toml/oscillation_search.h"

namespace runner {

namespace {

void complain(const std::string& what) { print_safe("ignored: " + what + "\n"); }

// Returns the plain code of an oscillation that a word names; any other word unchanged.
std::string without_stages(const std::string& word, const lcsm::Catalogue& catalogue) {
  const std::size_t name = std::min(word.find('@'), word.size());
  const lcsm::Oscillation* const oscillation = catalogue.find(word.substr(0, name));
  return oscillation ? lcsm::plain_code(*oscillation, catalogue) + word.substr(name) : word;
}

}  // namespace

CodeArgument read_code(const std::string& text, const std::vector<std::string>& files) {
  CodeArgument result{load_catalogue(files, complain), {}};
  try {
    result.code = lcsm::parse_code(text, result.catalogue);
  } catch (const lcsm::CodeError& error) {
    throw std::invalid_argument(describe("code", text, {1, error.column, error.what()}));
  }
  return result;
}

std::vector<lcsm::Code> codes_named(const std::vector<std::string>& words,
                                    const lcsm::Catalogue& catalogue,
                                    void (*complain)(const std::string&)) {
  std::vector<lcsm::Code> codes;
  for (const std::string& given : words) {
    const std::string word = without_stages(given, catalogue);
    try {
      const lcsm::Selection selection = lcsm::select_codes(word, catalogue);
      codes.insert(codes.end(), selection.codes.begin(), selection.codes.end());
      for (const std::string& left_out : selection.left_out) complain(left_out);
    } catch (const lcsm::CodeError& error) {
      throw std::invalid_argument(describe("code", word, {1, error.column, error.what()}));
    }
  }
  return codes;
}

CodeSelection read_codes(const std::vector<std::string>& patterns,
                         const std::vector<std::string>& files) {
  CodeSelection result{load_catalogue(files, complain), {}};
  for (const lcsm::Code& code : codes_named(patterns, result.catalogue, complain))
    if (std::find(result.codes.begin(), result.codes.end(), code) == result.codes.end())
      result.codes.push_back(code);
  return result;
}

}  // namespace runner
