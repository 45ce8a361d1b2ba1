#include "runner/code_argument.h"

#include <cstdio>

#include "runner/oscillation_search.h"
#include "runner/source_error.h"

namespace runner {

CodeArgument read_code(const std::string& text, const std::vector<std::string>& files) {
  CodeArgument result{load_catalogue(files,
                                     [](const std::string& what) {
                                       std::fprintf(stderr, "left out: %s\n", what.c_str());
                                     }),
                      {}};
  try {
    result.code = lcsm::parse_code(text, result.catalogue);
  } catch (const lcsm::CodeError& error) {
    throw std::invalid_argument(describe("code", text, {1, error.column, error.what()}));
  }
  return result;
}

}  // namespace runner
