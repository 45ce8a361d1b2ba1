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
  std::string o = "1";  // name of an oscillation; a `whole` oscillation is a code by itself
  int s = 1;            // like e
  int a = 0;            // activation of e and s

  // Options; absent = the default.
  std::string form;            // form=real: another form of the oscillation; "" = its own
  bool fixed = false;          // o=fixed: the gate is not learned
  bool frozen = false;         // gate=frozen: the gate's own tensors keep their first values
  std::optional<double> tau;   // default: 16
  std::optional<int> k, d, r;  // default: the model's; r: inner size of a low-rank projection

  friend bool operator==(const Code&, const Code&) = default;
};

inline constexpr double kDefaultTau = 16;

// Column in the text (from 1), and the reason.
struct CodeError : std::invalid_argument {
  CodeError(std::size_t column_, const std::string& what_,
            std::optional<std::string> unknown_ = std::nullopt)
      : std::invalid_argument(what_), column(column_), unknown(std::move(unknown_)) {}
  std::size_t column;
  std::optional<std::string> unknown;  // the unknown oscillation, if that is the reason
};

// Parses, checks against the catalogue and drops options at their default; throws CodeError.
Code parse_code(std::string_view text, const Catalogue& catalogue);

// The canonical text, which parse_code reads back as the same code.
std::string to_string(const Code& code, const Catalogue& catalogue);

// A code that demonstrates an oscillation: e and s from the input, unless it has a read in place of
// s.
std::string plain_code(const Oscillation& oscillation, const Catalogue& catalogue);

// Every code without options: all valid combinations of e, o, s and a.
std::vector<Code> all_codes(const Catalogue& catalogue);

// The codes that match a pattern such as "1-*-1-0" or "*-{0,4,5}-1-?@o=fixed", in the order of
// all_codes, each with the options. Codes that do not accept the options are left out and listed.
struct Selection {
  std::vector<Code> codes;
  std::vector<std::string> left_out;  // "1-10-1-0: tau is not used by this gate"
};
Selection select_codes(std::string_view pattern, const Catalogue& catalogue);
bool is_pattern(std::string_view text);
bool matches(std::string_view pattern, std::string_view text);

}  // namespace lcsm
