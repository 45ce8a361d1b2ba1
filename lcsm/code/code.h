// A code, `e-o-s-a@options`: the name of one variant of the recurrence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lcsm/code/oscillation.h"

namespace lcsm {

struct Code {
  int e = 1;            // 1 = from the input, 0 = a learned k x d matrix
  std::string o = "1";  // name of an oscillation; of a whole one, alone
  int s = 1;            // like e
  int a = 0;            // activation of e and s

  // Options; absent = the default.
  bool fixed = false;          // o=fixed: the gate is not learned
  bool frozen = false;         // gate=frozen: the gate's own tensors keep their first values
  std::optional<double> tau;   // 16
  std::optional<int> k, d, r;  // the model's; r: inner size of a low-rank projection

  friend bool operator==(const Code&, const Code&) = default;
};

inline constexpr double kDefaultTau = 16;

// Where in the text (from 1), and why.
struct CodeError : std::invalid_argument {
  CodeError(std::size_t column_, const std::string& what_,
            std::optional<std::string> unknown_ = std::nullopt)
      : std::invalid_argument(what_), column(column_), unknown(std::move(unknown_)) {}
  std::size_t column;
  std::optional<std::string> unknown;  // the oscillation that the catalogue lacks, if that is why
};

// Reads, checks against the catalogue and leaves defaults out; throws CodeError.
Code parse_code(std::string_view text, const Catalogue& catalogue);

// The canonical text: what parse_code reads back to the same code.
std::string to_string(const Code& code, const Catalogue& catalogue);

// Every code without options: all e, s, a and oscillations that go together.
std::vector<Code> all_codes(const Catalogue& catalogue);

// The codes that a pattern such as "1-*-1-0" or "*-{0,4,5}-1-?@o=fixed" names, in the order of
// all_codes; the options go to each. Codes that refuse the options are left out and told.
struct Selection {
  std::vector<Code> codes;
  std::vector<std::string> left_out;  // "1-10-1-0: tau is not used by this gate"
};
Selection select_codes(std::string_view pattern, const Catalogue& catalogue);
bool is_pattern(std::string_view text);
bool matches(std::string_view pattern, std::string_view text);

}  // namespace lcsm
