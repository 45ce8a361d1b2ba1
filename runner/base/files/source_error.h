// Reports errors in a text file: file, line, column, the source line and a caret.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct SourceError {
  std::size_t line = 0, column = 0;  // from 1; columns count characters, not bytes
  std::string what;                  // expected, got, what to do
};

// sweeps/mine.toml:3:14: unknown function 'sigmod'; did you mean 'sigmoid'?
//   o = "exp(-sigmod(p_d))"
//              ^
// `source`: the line with the error.
std::string describe(const std::string& path, std::string_view source, const SourceError& error);

// The lines of a text, without their ends.
class SourceLines {
 public:
  explicit SourceLines(std::string_view text);
  std::string_view line(std::size_t number) const;  // from 1; "" if there is none

 private:
  std::vector<std::string_view> lines_;
};

// All errors of one file, thrown as one exception.
class SourceErrors : public std::invalid_argument {
 public:
  SourceErrors(const std::string& path, std::string_view text, std::vector<SourceError> errors);
  const std::vector<SourceError>& errors() const { return errors_; }

 private:
  std::vector<SourceError> errors_;
};

}  // namespace runner
