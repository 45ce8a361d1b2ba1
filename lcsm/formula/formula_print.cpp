// Expr -> text. Precedence decides on parentheses, so that ASCII parses back to the same tree.
#include <charconv>
#include <cmath>
#include <string>

#include "lcsm/formula/formula.h"

namespace lcsm {
namespace {

enum Strength { kSum = 1, kProduct, kUnary, kPowerOf, kPrimary };

Strength strength(const Expr& e) {
  switch (e->op) {
    case Op::kAdd:
    case Op::kSubtract:
      return kSum;
    case Op::kMultiply:
    case Op::kDivide:
      return kProduct;
    case Op::kNegate:
      return kUnary;
    case Op::kPower:
      return kPowerOf;
    case Op::kNumber:
    case Op::kSymbol:
    case Op::kCall:
      break;
  }
  return kPrimary;
}

std::string symbol_text(const Symbol& s, Style style) {
  if (style == Style::kAscii) return to_string(s);
  const SymbolStem& stem = stem_of(s);
  const std::string axes(to_string(s.axes));
  const std::string digits = s.number > 0 ? std::to_string(s.number) : "";
  if (style == Style::kUnicode)
    return std::string(stem.unicode) + (axes.empty() ? "" : "_" + axes) + digits;
  std::string below = axes;
  if (!digits.empty()) below += (below.empty() ? "" : ",") + digits;
  return std::string(stem.latex) + (below.empty() ? "" : "_{" + below + "}");
}

// One printer for the two plain styles; LaTeX lays out quotients and powers differently.
class Printer {
 public:
  explicit Printer(Style style) : style_(style) {}

  std::string text(const Expr& e) const {
    switch (e->op) {
      case Op::kNumber:
        return number_text(e->number);
      case Op::kSymbol:
        return symbol_text(e->symbol, style_);
      case Op::kNegate:
        return minus() + operand(e->args[0], kUnary);
      case Op::kAdd:
        return operand(e->args[0], kSum) + " + " + operand(e->args[1], kProduct);
      case Op::kSubtract:
        return operand(e->args[0], kSum) + " " + minus() + " " + operand(e->args[1], kProduct);
      case Op::kMultiply:
        return operand(e->args[0], kProduct) + times() + operand(e->args[1], kUnary);
      case Op::kDivide:
        return quotient(e);
      case Op::kPower:
        return power_text(e);
      case Op::kCall:
        break;
    }
    return call_text(e);
  }

 private:
  bool latex() const { return style_ == Style::kLatex; }
  std::string minus() const { return style_ == Style::kUnicode ? "\u2212" : "-"; }
  std::string times() const {
    return latex() ? " \\cdot " : style_ == Style::kUnicode ? "\u00b7" : " * ";
  }
  std::string bracketed(const std::string& inner) const {
    return latex() ? "\\left(" + inner + "\\right)" : "(" + inner + ")";
  }
  std::string operand(const Expr& e, Strength at_least) const {
    return strength(e) < at_least ? bracketed(text(e)) : text(e);
  }

  std::string quotient(const Expr& e) const {
    if (latex()) return "\\frac{" + text(e->args[0]) + "}{" + text(e->args[1]) + "}";
    const std::string bar = style_ == Style::kUnicode ? "/" : " / ";
    const std::string left = operand(e->args[0], kProduct), right = operand(e->args[1], kUnary);
    // 1/tau reads better without blanks, and stays one word in an exponent.
    const bool tight = strength(e->args[0]) == kPrimary && strength(e->args[1]) == kPrimary;
    return left + (tight ? "/" : bar) + right;
  }

  // The exponent is a unary: -2 and nested powers need no parentheses there.
  std::string power_text(const Expr& e) const {
    if (latex()) {
      // A power of a function needs parentheses: \exp x^2 would read as exp of x^2.
      const bool bare = strength(e->args[0]) == kPrimary && e->args[0]->op != Op::kCall;
      const std::string base = text(e->args[0]);
      return (bare ? base : bracketed(base)) + "^{" + inline_latex(e->args[1]) + "}";
    }
    return operand(e->args[0], kPrimary) + "^" + operand(e->args[1], kUnary);
  }

  // Quotients in an exponent stay on one line.
  std::string inline_latex(const Expr& e) const {
    if (e->op != Op::kDivide) return text(e);
    return operand(e->args[0], kProduct) + "/" + operand(e->args[1], kUnary);
  }

  std::string call_text(const Expr& e) const {
    const FunctionRow& row = row_of(e->function);
    if (latex() && e->function == Function::kSqrt) return "\\sqrt{" + text(e->args[0]) + "}";
    if (latex() && e->function == Function::kAbs) return "\\left|" + text(e->args[0]) + "\\right|";
    if (latex() && e->function == Function::kRotate)
      return "e^{\\mathrm{i}\\," + operand(e->args[0], kProduct) + "}";
    std::string inner;
    for (const Expr& arg : e->args) inner += (inner.empty() ? "" : ", ") + text(arg);
    const std::string name(latex()                     ? row.latex
                           : style_ == Style::kUnicode ? row.unicode
                                                       : row.name);
    return name + bracketed(inner);
  }

  Style style_;
};

}  // namespace

std::string number_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

std::string to_string(const Expr& e, Style style) { return Printer(style).text(e); }

}  // namespace lcsm
