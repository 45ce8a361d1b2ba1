#include "runner/config/code_argument.h"

#include <algorithm>
#include <cstdio>

#include "runner/config/oscillation_search.h"
#include "runner/files/source_error.h"

namespace runner {

namespace {

void complain(const std::string& what) { std::fprintf(stderr, "skipped: %s\n", what.c_str()); }

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

CodeSelection read_codes(const std::vector<std::string>& patterns,
                         const std::vector<std::string>& files) {
  CodeSelection result{load_catalogue(files, complain), {}};
  for (const std::string& pattern : patterns) {
    try {
      const lcsm::Selection selection = lcsm::select_codes(pattern, result.catalogue);
      for (const lcsm::Code& code : selection.codes)
        if (std::find(result.codes.begin(), result.codes.end(), code) == result.codes.end())
          result.codes.push_back(code);
      for (const std::string& left_out : selection.left_out) complain(left_out);
    } catch (const lcsm::CodeError& error) {
      throw std::invalid_argument(describe("code", pattern, {1, error.column, error.what()}));
    }
  }
  return result;
}

}  // namespace runner
