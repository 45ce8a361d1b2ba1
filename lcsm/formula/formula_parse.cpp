// Text -> Expr, by recursive descent:
//   sum     = product (("+" | "-") product)*
//   product = unary (("*" | "/") unary)*
//   unary   = "-" unary | power
//   power   = primary ("^" unary)?              so -a^b is -(a^b), and a^b^c is a^(b^c)
//   primary = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lcsm/base/nearest.h"
#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "lcsm/formula/formula.h"

namespace lcsm {
namespace {

constexpr std::size_t kLongest = 10000;
constexpr int kDeepest = 64, kMostParts = 256;  // this many parts always print within kLongest

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSigns = {
    {{"\u00b7", "*"}, {"\u2212", "-"}, {"\u03c4", "tau"}, {"\u03b8", "theta"}}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

class Parser {
 public:
  Parser(std::string_view text, FormulaUse use) : text_(text), use_(use) {}

  Expr whole() {
    if (text_.size() > kLongest)
      fail(kLongest, "a formula has at most " + std::to_string(kLongest) + " characters");
    Expr result = sum();
    if (peek() == ')') fail(at_, "unmatched ')'");
    if (at_ < text_.size()) fail(at_, "expected an operator, got " + here());
    return result;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw FormulaError(at + 1, what);
  }

  char peek() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  // The ASCII name of a sign with which formulas are printed on a terminal, or nothing.
  std::string ascii_here() const {
    const auto is_here = [&](std::string_view sign) { return text_.substr(at_).starts_with(sign); };
    for (const FunctionRow& row : functions())
      if (is_here(row.unicode)) return std::string(row.name);
    for (const auto& [sign, ascii] : kSigns)
      if (is_here(sign)) return std::string(ascii);
    return "";
  }

  std::string here() const {
    if (at_ >= text_.size()) return "the end";
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    const std::string ascii = c >= 0x80 ? ascii_here() : "";
    if (!ascii.empty()) return "a sign that is written " + ascii;
    if (c < 0x20 || c >= 0x7f) return "an invalid character";
    return std::string("'") + text_[at_] + "'";
  }

  // The column of a node is its operator's, or its first letter's.
  Expr placed(const Expr& e, std::size_t at) {
    if (++parts_ > kMostParts)
      fail(at, "a formula has at most " + std::to_string(kMostParts) +
                   " numbers, symbols and operations");
    Node node = *e;
    node.column = at + 1;
    return std::make_shared<const Node>(std::move(node));
  }

  Expr sum() {
    Expr left = product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      const std::size_t at = at_++;
      left = placed(c == '+' ? add(left, product()) : subtract(left, product()), at);
    }
    return left;
  }

  Expr product() {
    Expr left = unary();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      const std::size_t at = at_++;
      if (c == '*' && peek() == '*') fail(at, "a power is written ^, got '**'");
      left = placed(c == '*' ? multiply(left, unary()) : divide(left, unary()), at);
    }
    return left;
  }

  Expr unary() {
    if (++depth_ > kDeepest)
      fail(at_, "nested more than " + std::to_string(kDeepest) + " levels deep");
    peek();
    const std::size_t at = at_;
    Expr result = take('-') ? placed(negate(unary()), at) : power_of_primary();
    --depth_;
    return result;
  }

  Expr power_of_primary() {
    Expr base = primary();
    peek();
    const std::size_t at = at_;
    return take('^') ? placed(power(base, unary()), at) : base;
  }

  Expr primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number_here();
    if (is_word(c)) return name_here();
    const std::size_t open = at_;
    if (!take('(')) fail(at_, "expected a number, a symbol, a function or '(', got " + here());
    Expr inner = sum();
    if (!take(')'))
      fail(at_,
           "expected ')' for the '(' in column " + std::to_string(open + 1) + ", got " + here());
    return inner;
  }

  Expr number_here() {
    const std::size_t start = at_;
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::invalid_argument) fail(start, "expected a number, got " + here());
    if (error != std::errc{}) fail(start, "this number is too large or too small for float64");
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.'))
      fail(at_, "expected an operator after the number, got " + here());
    return placed(number(value), start);
  }

  Expr name_here() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (peek() == '(') return call_here(name, start);
    if (row_named(functions(), name))
      fail(start, "the function '" + std::string(name) + "' needs its argument in parentheses");
    try {
      return placed(symbol(parse_symbol(name, use_)), start);
    } catch (const std::invalid_argument& error) {
      fail(start, error.what());
    }
  }

  // Refuses functions without a real value per step.
  void refuse_elsewhere(const FunctionRow& row, std::size_t start) {
    if (row.value || use_ == FormulaUse::kAny) return;
    const bool in_gate = row.function != Function::kComplex;
    const bool in_weights = row.function != Function::kCumsoftmax;
    if ((use_ == FormulaUse::kGate && in_gate) || (use_ == FormulaUse::kScale && in_weights))
      return;
    fail(start, "'" + std::string(row.name) + "' is allowed only in " +
                    (!in_weights ? "the formula of a gate"
                     : in_gate   ? "the formula of a gate, its scale and its read"
                                 : "the scale and the read of a gate"));
  }

  Expr call_here(std::string_view name, std::size_t start) {
    const FunctionRow* const row = row_named(functions(), name);
    if (!row) fail(start, unknown_function(name));
    refuse_elsewhere(*row, start);
    take('(');
    std::vector<Expr> args;
    do {
      args.push_back(sum());
    } while (take(','));
    if (!take(')'))
      fail(at_,
           "expected ',' or ')' in the arguments of '" + std::string(name) + "', got " + here());
    if (static_cast<int>(args.size()) != row->arity)
      fail(start, "'" + std::string(name) + "' takes " + std::to_string(row->arity) +
                      (row->arity == 1 ? " argument" : " arguments") + ", got " +
                      std::to_string(args.size()));
    return placed(call(row->function, std::move(args)), start);
  }

  static std::string unknown_function(std::string_view name) {
    std::vector<std::string> names;
    for (const FunctionRow& row : functions()) names.emplace_back(row.name);
    return "unknown function '" + std::string(name) + "'" +
           did_you_mean(name, names, "; the functions are " + joined(names));
  }

  std::string_view text_;
  FormulaUse use_;
  std::size_t at_ = 0;
  int depth_ = 0, parts_ = 0;
};

}  // namespace

Expr parse_formula(std::string_view text, FormulaUse use) { return Parser(text, use).whole(); }

}  // namespace lcsm
