// `lcsm codes CODE`: one code in full.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lcsm/code/tables.h"
#include "lcsm/formula/simplify.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/text_table.h"
#include "runner/front/codes/code_text.h"
#include "runner/front/codes/code_views.h"

namespace runner {
namespace {

using lcsm::Expr;

class CodePage {
 public:
  CodePage(const CodeFacts& facts, const Terminal& terminal)
      : f_(facts), v_(facts.variant), terminal_(terminal), style_(style_for(terminal)) {}

  std::string text() {
    title();
    equations();
    machine();
    memory();
    tensors();
    parameters();
    published();
    text_ += "  LaTeX     o_t = " + gate_text(v_, lcsm::Style::kLatex) + "\n";  // one line, to copy
    if (v_.oscillation.origin == kTried) definition();
    for (const std::string& warning : f_.warnings)
      row(styled(terminal_, Style::kWarn, "warning"), warning);
    return std::move(text_);
  }

 private:
  const char* pick(const char* unicode, const char* ascii) const {
    return terminal_.unicode ? unicode : ascii;
  }

  // A label, then its value from column 13 on, wrapped at spaces.
  void row(const std::string& label, const std::string& value) {
    const std::size_t room =
        terminal_.width > 40 ? static_cast<std::size_t>(terminal_.width) - 12 : 0;
    std::string rest = value, start = "  " + label;
    start += std::string(static_cast<std::size_t>(std::max(1, 12 - display_width(start))), ' ');
    while (room > 0 && static_cast<std::size_t>(display_width(rest)) > room) {
      const std::size_t blank = rest.rfind(' ', room);
      if (blank == std::string::npos || blank == 0) break;
      text_ += start + rest.substr(0, blank) + "\n";
      rest.erase(0, blank + 1);
      start = std::string(12, ' ');
    }
    text_ += start + rest + "\n";
  }

  void title() {
    text_ += styled(terminal_, Style::kBold, f_.text);
    if (!v_.oscillation.help.empty()) text_ += "   " + v_.oscillation.help;
    if (!v_.oscillation.origin.empty() && v_.oscillation.origin != kTried)
      text_ += "   [" + v_.oscillation.origin + "]";
    text_ += "\n\n";
  }

  std::string stage(const char* name, bool is_static, bool is_complex = false) const {
    if (is_static && v_.has_unit_stages()) return "1";
    std::string value = !is_static ? fmt::format("W_{0} x_t, a projection to k", name)
                                   : fmt::format("W_{0}, a learned {1}k x d matrix", name,
                                                 is_complex ? "complex " : "");
    const std::string_view a = lcsm::activation_rows()[static_cast<std::size_t>(v_.code.a)].formula;
    if (v_.code.a != 0)
      value += ", then " +
               lcsm::to_string(lcsm::parse_formula(a, lcsm::FormulaUse::kActivation), style_);
    return value;
  }

  void equations() {
    row("memory", memory_equation());
    row("output", output_equation());
    row("i_t", "W_i x_t");
    row("e_t", stage("e", v_.e_static()));
    row("o_t", gate_text(v_, style_));
    if (!v_.oscillation.matrix) {
      std::string about = lcsm::to_string(lcsm::type_of(v_.o()));
      if (uses_tau())
        about += fmt::format(";  {} = {}", pick("\u03c4", "tau"), lcsm::number_text(v_.tau()));
      if (v_.code.frozen) about += ";  frozen at its initial values";
      row("", about);
    }
    row("s_t", stage("s", v_.s_static(), v_.is_complex()));
    text_ += "\n";
    for (const lcsm::Oscillation& form : v_.oscillation.forms)
      row(&form == v_.oscillation.forms.data() ? "forms" : "",
          fmt::format("@form={:<9} {}", form.form, form.help));
    if (!v_.oscillation.forms.empty()) text_ += "\n";
  }

  std::string output_equation() const {
    std::string weight = "s_t[k,d] ";
    if (const Expr& read = v_.oscillation.read)
      weight += fmt::format("({}) ", lcsm::to_string(read, style_));
    const bool real_part = v_.is_complex();
    return fmt::format("y_t[d] = {}sum over k of {}m_t[k,d]{}, then LayerNorm and W_out",
                       real_part ? "Re(" : "", weight, real_part ? ")" : "");
  }

  std::string memory_equation() const {
    std::string input = "i_t";
    if (const Expr& scale = v_.oscillation.scale)
      input = fmt::format("({}) i_t", lcsm::to_string(scale, style_));
    return fmt::format("m_t = o_t {}m_(t-1) + e_t {} {}",
                       v_.oscillation.matrix ? "" : pick("\u2299 ", "(.) "), pick("\u2297", "(x)"),
                       input);
  }

  bool uses_tau() const {
    for (const lcsm::Symbol& s : lcsm::symbols_of(v_.o()))
      if (lcsm::stem_of(s).name == "tau") return true;
    return false;
  }

  void machine() {
    row("machine", summary(f_.plan));
    row("", f_.plan.why);
    if (f_.plan.parts) {
      const auto part = [&](const char* axis, const Expr& e) {
        if (!lcsm::is_constant(e, 0))
          row("", fmt::format("{:<5}{}", axis, lcsm::to_string(e, style_)));
      };
      part("time", f_.plan.parts->time);
      part("k", f_.plan.parts->k);
      part("d", f_.plan.parts->d);
    }
    row("cost",
        fmt::format("state of {} numbers per layer; per token and layer: {}FLOP in projections, "
                    "{}FLOP and {}B in the recurrence",
                    thousands(f_.cost.state), amount(static_cast<double>(f_.cost.projection_flops)),
                    amount(static_cast<double>(f_.cost.recurrence_flops)),
                    amount(static_cast<double>(f_.cost.recurrence_bytes))));
    text_ += "\n";
  }

  void memory() {
    const lcsm::InitialDecay& decay = f_.decay;
    if (decay.kind == lcsm::InitialDecay::Kind::kMatrix)
      return row("at start", "the memory is erased by content, along keys; it has no half-life");
    if (decay.kind == lcsm::InitialDecay::Kind::kHarmonic) {
      row("at start", "a running mean: what was written at token n halves by token 2 n");
      if (std::isinf(decay.median)) return;
    }
    const bool rest = decay.kind == lcsm::InitialDecay::Kind::kHarmonic;
    row(rest ? "" : "at start",
        fmt::format("{}{}{}; {} = {:.4g} for zero input and mean initial weights",
                    rest ? "in addition, " : "", std::isinf(decay.median) ? "" : "half-life ",
                    gate_half_life(decay), v_.gate.angle ? "|o|" : "o", decay.centre));
    if (std::isinf(decay.high) && std::isinf(decay.low)) return;
    row("", fmt::format(
                "fraction left after t tokens ({} 10th percentile of cells, {} median, {} 90th)",
                pick("\u2588", "#"), pick("\u2593", "+"), pick("\u2591", ".")));
    // Spans about an eighth of the median half-life to eight times it.
    const double centre = std::isinf(decay.median) ? decay.low : decay.median;
    const double first = std::exp2(std::max(0.0, std::round(std::log2(std::max(centre, 1.0))) - 3));
    for (int i = 0; i < 7; ++i) bar(first * std::exp2(i));
  }

  void bar(double tokens) {
    constexpr int kWidth = 40;
    const auto length = [&](double half_life) {
      return static_cast<int>(std::lround(kWidth * lcsm::kept(half_life, tokens)));
    };
    const int low = length(f_.decay.low), median = length(f_.decay.median),
              high = length(f_.decay.high);
    std::string drawn;
    for (int i = 0; i < high; ++i)
      drawn += i < low      ? pick("\u2588", "#")
               : i < median ? pick("\u2593", "+")
                            : pick("\u2591", ".");
    text_ += fmt::format("            {:>6} {}{} {:.0f} %\n", tokens_text(tokens), drawn,
                         std::string(static_cast<std::size_t>(kWidth - high), ' '),
                         100 * lcsm::kept(f_.decay.median, tokens));
  }

  void tensors() {
    TextTable table({{"  tensor"}, {"shape"}, {"initial values", Align::kLeft, 14}, {""}});
    for (const lcsm::Parameter& t : lcsm::tensors_of(v_))
      table.add_row({"  " + t.name, shape_text(t.shape), lcsm::to_string(t.init, style_),
                     t.learned                     ? ""
                     : t.of_gate && v_.code.frozen ? "frozen"
                                                   : "fixed"});
    text_ += "\n" + table.text(terminal_) + "\n";
  }

  void parameters() {
    const lcsm::ParameterCount& n = f_.parameters;
    std::string extra;
    if (n.fixed > 0) extra += fmt::format(" + {} fixed", thousands(n.fixed));
    if (n.stored > 0)
      extra +=
          fmt::format(" + {} that the official layer stores but never uses", thousands(n.stored));
    if (!extra.empty()) extra = fmt::format(" = {} learned{}", thousands(n.learned), extra);
    row("WikiText",
        fmt::format("{} parameters{} (d = {}, k = {}, {} layers, {} words)", thousands(n.total()),
                    extra, v_.sizes.d, v_.sizes.k, f_.model.layers, f_.model.vocab));
  }

  // Shows how to define the formula of --try as a custom oscillation.
  void definition() {
    const lcsm::Oscillation& tried = v_.oscillation;
    text_ += "  to keep   add to oscillations.toml:\n            [oscillation.NAME]\n";
    const auto line = [&](const std::string& key, const Expr& e) {
      text_ += fmt::format("            {} = \"{}\"\n", key, lcsm::to_string(e));
    };
    line("o", tried.o);
    if (tried.scale) line("scale", tried.scale);
    if (tried.read) line("read", tried.read);
    for (const auto& [symbol, init] : tried.inits) line("init." + to_string(symbol), init);
    if (lcsm::can_grow(tried)) text_ += "            growth = true\n";
  }

  void published() {
    for (const PublishedPerplexity& p : f_.published) {
      std::string note = p.note.empty() ? "" : ", " + p.note;
      if (p.layers > 0) note = fmt::format(", {} layers{}", p.layers, note);
      row("published", fmt::format("valid {:.2f}  test {:.2f}  ({} M{})  {}", p.valid, p.test,
                                   p.params_m, note, p.table));
    }
  }

  const CodeFacts& f_;
  const lcsm::Variant& v_;
  const Terminal& terminal_;
  lcsm::Style style_;
  std::string text_;
};

}  // namespace

std::string page(const CodeFacts& facts, const Terminal& terminal) {
  return CodePage(facts, terminal).text();
}

}  // namespace runner
