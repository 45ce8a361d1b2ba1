#include "runner/front/codes/code_text.h"

#include <fmt/format.h>

#include <cmath>

#include "lcsm/base/words.h"

namespace runner {
namespace {

std::string half_life_text(double tokens) {
  if (std::isinf(tokens)) return "never forgets";
  const std::string text = tokens_text(tokens);
  return text + (text == "1" ? " token" : " tokens");
}

}  // namespace

lcsm::Style style_for(const Terminal& terminal) {
  return terminal.unicode ? lcsm::Style::kUnicode : lcsm::Style::kAscii;
}

std::string gate_text(const lcsm::Variant& variant, lcsm::Style style) {
  const std::string o = lcsm::to_string(variant.o(), style);
  if (!variant.oscillation.matrix) return o;
  const bool latex = style == lcsm::Style::kLatex;
  const lcsm::Expr e = lcsm::symbol(lcsm::parse_symbol("e_k"));
  const lcsm::Expr& scale = variant.oscillation.scale;
  const std::string u = lcsm::to_string(scale ? lcsm::multiply(scale, e) : e, style);
  const std::string minus = style == lcsm::Style::kUnicode ? "\u2212" : "-";
  const std::string transposed = latex                            ? "^{\\top}"
                                 : style == lcsm::Style::kUnicode ? "\u1d40"
                                                                  : "^T";
  return fmt::format("I {} {} {}{}", minus, scale && !latex ? "(" + u + ")" : u, o, transposed);
}

std::string tokens_text(double tokens) {
  return tokens >= 100 && tokens < 1e6 ? fmt::format("{:.0f}", tokens)
                                       : fmt::format("{:.3g}", tokens);
}

std::string gate_half_life(const lcsm::InitialDecay& decay) {
  const std::string low = tokens_text(decay.low), high = tokens_text(decay.high);
  if (std::isinf(decay.median) || low == high) return half_life_text(decay.median);
  return fmt::format("{} ({} to {})", half_life_text(decay.median), low, high);
}

std::string start_text(const lcsm::InitialDecay& decay) {
  using Kind = lcsm::InitialDecay::Kind;
  if (decay.kind == Kind::kMatrix) return "by content";
  if (decay.kind == Kind::kGate) return gate_half_life(decay);
  return std::isinf(decay.median) ? "n after n tokens"
                                  : "n after n tokens, " + gate_half_life(decay);
}

std::string thousands(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3 && text[at - 4] != '-';) text.insert(at -= 3, ",");
  return text;
}

std::string amount(double number) {
  if (number >= 1e9) return fmt::format("{:.2f} G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.2f} M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.1f} k", number / 1e3);
  return fmt::format("{:.0f} ", number);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? "1" : fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace runner
