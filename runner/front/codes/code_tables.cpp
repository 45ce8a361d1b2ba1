// `lcsm codes`: the overview; `lcsm codes GLOB`: several codes side by side.
#include <fmt/format.h>

#include "lcsm/code/tables.h"
#include "runner/base/text/text_table.h"
#include "runner/front/codes/code_text.h"
#include "runner/front/codes/code_views.h"

namespace runner {
namespace {

std::string heading(const Terminal& terminal, const std::string& text) {
  return styled(terminal, Style::kBold, text) + "\n";
}

constexpr const char* kOptions =
    "  form=real      another form of the oscillation (ces, s4d)\n"
    "  o=fixed        the gate is not learned: ALiBi slopes (0, 4, 5)\n"
    "  gate=frozen    the gate's tensors keep their initial values\n"
    "  tau=16         temperature of the gate\n"
    "  k=64, d=256    sizes, if they differ from the model's\n"
    "  r=32           rank of a low-rank projection (ssm)\n";

constexpr const char* kLegend =
    "\nparameters: of the WikiText-103 model; valid, test: the paper's perplexities;\n"
    "half-life: before training, median (10th to 90th percentile of cells);\n"
    "FLOP: of the recurrence, per token and layer; state: numbers per layer\n";

std::string recurrence(const Terminal& terminal) {
  return terminal.unicode
             ? "  m_t = o_t \u2299 m_(t-1) + e_t \u2297 i_t     y_t[d] = \u03a3_k s_t[k,d] "
               "m_t[k,d]\n"
             : "  m_t = o_t (.) m_(t-1) + e_t (x) i_t     y_t[d] = sum_k s_t[k,d] m_t[k,d]\n";
}

}  // namespace

std::string overview(const lcsm::Catalogue& catalogue, const Terminal& terminal) {
  const lcsm::Style style = style_for(terminal);
  std::string text = heading(terminal, "A code e-o-s-a, such as 1-9-1-4, names a variant of") +
                     recurrence(terminal) +
                     "  e, s: 1 = projections of the input to k, 0 = learned k x d matrices\n\n";
  text += heading(terminal, "o, the oscillation; a name such as ssm is a whole code by itself");
  TextTable gates({{"o"}, {"gate", Align::kLeft, 20}, {"machine"}, {"meaning", Align::kLeft, 10}});
  for (const lcsm::Oscillation& oscillation : catalogue.all()) {
    const lcsm::Variant variant = lcsm::make_variant(
        lcsm::parse_code(lcsm::plain_code(oscillation, catalogue), catalogue), catalogue);
    gates.add_row({oscillation.name, gate_text(variant, style),
                   short_summary(lcsm::plan_of(variant)), oscillation.help});
  }
  text += gates.text(terminal) + "\n" + heading(terminal, "a, the activation of e and s");
  for (const lcsm::ActivationRow& row : lcsm::activation_rows())
    text += fmt::format(
        "  {}  {}\n", row.a,
        lcsm::to_string(lcsm::parse_formula(row.formula, lcsm::FormulaUse::kActivation), style));
  text += "\n" + heading(terminal, "options, after @ and separated by commas") + kOptions;
  return text +
         "\n'lcsm codes 1-9-1-0' shows one code in full, 'lcsm codes \"1-*-1-0\"' several.\n";
}

std::string comparison(std::span<const CodeFacts> facts, const Terminal& terminal) {
  const lcsm::Style style = style_for(terminal);
  TextTable table({{"code"},
                   {"gate", Align::kLeft, 18},
                   {"machine"},
                   {"parameters", Align::kRight},
                   {"layers", Align::kRight},
                   {"valid", Align::kRight},
                   {"test", Align::kRight},
                   {"half-life", Align::kLeft},
                   {"FLOP", Align::kRight},
                   {"state", Align::kRight}});
  for (const CodeFacts& f : facts) {
    const PublishedPerplexity* const p = f.published.empty() ? nullptr : &f.published[0];
    table.add_row({f.text, gate_text(f.variant, style), short_summary(f.plan),
                   thousands(f.parameters.total()), std::to_string(f.model.layers),
                   p ? fmt::format("{:.2f}", p->valid) : "",
                   p ? fmt::format("{:.2f}", p->test) : "", start_text(f.decay),
                   amount(static_cast<double>(f.cost.recurrence_flops)), thousands(f.cost.state)});
  }
  return table.text(terminal) + kLegend;
}

}  // namespace runner
