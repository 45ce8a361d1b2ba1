// The formula language of oscillations, activations and initializations.
//
// An Expr is an immutable tree, as written. It has one value per cell and step: symbols stand for
// numbers, and the axes of a symbol (k, d, both, none) are the axes over which its value varies.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/formula/functions.h"
#include "lcsm/formula/symbols.h"

namespace lcsm {

enum class Op : std::uint8_t {
  kNumber,  // finite and >= 0: a negative constant is kNegate of a number
  kSymbol,
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kCall,
};

struct Node;
using Expr = std::shared_ptr<const Node>;

struct Node {
  Op op = Op::kNumber;
  double number = 0;       // kNumber
  Symbol symbol;           // kSymbol
  Function function{};     // kCall
  std::vector<Expr> args;  // operands, left to right
  std::size_t size = 1;    // nodes in the tree below, this one included
  std::size_t column = 0;  // in the parsed text, from 1; 0 = built by code
};

// ----- Building -----
Expr number(double value);  // finite; a negative one becomes kNegate of its magnitude
Expr symbol(const Symbol& s);
Expr negate(Expr a);
Expr add(Expr a, Expr b);
Expr subtract(Expr a, Expr b);
Expr multiply(Expr a, Expr b);
Expr divide(Expr a, Expr b);
Expr power(Expr a, Expr b);
Expr call(Function f, std::vector<Expr> args);

// ----- Queries -----
std::optional<double> constant(const Expr& e);  // a number or its negation
bool is_constant(const Expr& e, double value);
bool is_call(const Expr& e, Function f);
const Node* find_call(const Expr& e, Function f);  // the first in reading order, or null
bool equal(const Expr& a, const Expr& b);          // equal trees; columns do not count
int compare(const Expr& a, const Expr& b);         // a total order on trees: < 0, 0, > 0
std::vector<Symbol> symbols_of(const Expr& e);     // each once, sorted
// Replaces, all at once, every symbol for which `by` returns an expression; null keeps the symbol.
Expr substitute(const Expr& e, const std::function<Expr(const Symbol&)>& by);

// The axes over which the value varies. `data`: changes from step to step with the input.
struct Type {
  bool k = false, d = false, data = false;
  friend bool operator==(const Type&, const Type&) = default;
};
Type type_of(const Expr& e);
std::string to_string(Type t);  // "k x d, data", "d, static", "one value per step", "constant"

// A text that is not a formula: where (column, from 1) and why, in one sentence.
struct FormulaError : std::invalid_argument {
  FormulaError(std::size_t column_, const std::string& what_)
      : std::invalid_argument(what_), column(column_) {}
  std::size_t column;
};

// `use` decides which symbols are allowed (symbols.h). At most 256 parts, 64 levels deep; throws
// FormulaError.
Expr parse_formula(std::string_view text, FormulaUse use = FormulaUse::kGate);

enum class Style : std::uint8_t { kAscii, kUnicode, kLatex };

// ASCII text parses back to the same tree; parentheses only where the tree needs them.
std::string to_string(const Expr& e, Style style = Style::kAscii);

std::string number_text(double value);  // the shortest text that reads back to this double

}  // namespace lcsm
