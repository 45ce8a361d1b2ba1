#include "lcsm/code/oscillation.h"

#include <algorithm>

#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

bool is_name(const std::string& name) {
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= 32 && name[0] >= 'a' && name[0] <= 'z' &&
         std::all_of(name.begin(), name.end(), word);
}

std::string text_of(const End& low, const End& high) {
  return (low.closed ? "[" : "(") + number_text(low.value) + ", " + number_text(high.value) +
         (high.closed ? "]" : ")");
}

// Within (-1, 1], where the memory cannot grow without bound.
bool is_bounded(const Interval& gate) { return within(gate, {{-1, false}, {1, true}}); }

// Collects mistakes key by key, and throws them together at the end.
class Mistakes {
 public:
  template <typename Check>
  void of(const std::string& key, Check check) {
    try {
      check();
    } catch (const FormulaError& error) {
      found_.emplace_back(key, error.column, error.what());
    }
  }

  void raise() {
    if (found_.empty()) return;
    OscillationError first = found_.front();
    first.more.assign(found_.begin() + 1, found_.end());
    throw first;
  }

 private:
  std::vector<OscillationError> found_;
};

void refuse_undefined(const Expr& e) {
  if (e)
    if (const auto error = undefined_at(e)) throw *error;
}

void check_gate(const Expr& o, bool growth) {
  const Gate gate = gate_of(o);
  if (gate.cumulative && type_of(gate.cumulative).k && type_of(gate.cumulative).d)
    throw FormulaError(gate.cumulative->column,
                       "a running softmax may vary over k or over d, not over both");
  refuse_undefined(gate.real);
  refuse_undefined(gate.angle);
  refuse_undefined(gate.cumulative);
  const Interval range = range_of(gate.real);
  if (!growth && !is_bounded(range))
    throw FormulaError(1, "the range of the gate, " + text_of(range.low, range.high) +
                              ", is not within (-1, 1], so the memory could grow without bound; "
                              "bound the gate, or set growth = true");
}

// `w_d` in "init.w_d": a symbol of the formulas that has an initial value.
Symbol named_symbol(const std::string& name, const std::vector<Symbol>& used, bool projection) {
  const auto found =
      std::find_if(used.begin(), used.end(), [&](const Symbol& s) { return to_string(s) == name; });
  if (found == used.end()) throw FormulaError(1, "'" + name + "' does not occur in the formula");
  const std::string_view stem = stem_of(*found).name;
  if (stem != "p" && (projection || stem != "w"))
    throw FormulaError(1, "'" + name +
                              (projection ? "' is not a projection: only p, p_k and p_d have "
                                            "a rank"
                                          : "' is not learned: it has no initial value"));
  return *found;
}

void check_init(const Symbol& of, const Expr& init) {
  const Type type = type_of(init);
  const bool projection = stem_of(of).name == "p";
  if ((type.k || type.d) && projection) {
    for (const Symbol& s : symbols_of(init))
      if (s.axes != Axes::kNone && stem_of(s).name != "size")
        throw FormulaError(init->column,
                           "all weights of a projection share one initial value: "
                           "use sizes, normal and uniform only");
  }
  for (const Symbol& s : symbols_of(init)) {
    if (projection || stem_of(s).name == "size") continue;
    if ((over_k(s.axes) && !over_k(of.axes)) || (over_d(s.axes) && !over_d(of.axes)))
      throw FormulaError(init->column, "'" + to_string(s) + "' varies over an axis that '" +
                                           to_string(of) + "' does not have");
  }
  refuse_undefined(init);
}

bool has_column(const Expr& e, std::size_t column) {
  return e->column == column || std::any_of(e->args.begin(), e->args.end(), [&](const Expr& arg) {
           return has_column(arg, column);
         });
}

// Checks a scale or read: it may be complex only if the memory is.
void check_weight(const Expr& weight, const Expr& o) {
  const Expr whole = with_gate(weight, o);
  if (!find_call(whole, Function::kRotate) && !find_call(whole, Function::kComplex))
    return refuse_undefined(whole);
  if (!gate_of(o).angle)
    throw FormulaError(1, "it is complex but the gate is real: multiply the gate by rotate(...)");
  const ComplexParts parts = complex_parts(whole);
  refuse_undefined(parts.re);
  refuse_undefined(parts.im);
}

// A mistake in the gate's part of the combined formula is reported at column 1 of the weight.
void check_weight_text(const Expr& weight, const Expr& o) {
  try {
    check_weight(weight, o);
  } catch (const FormulaError& error) {
    const bool inside = error.column > 0 && has_column(weight, error.column);
    throw FormulaError(inside ? error.column : 1, error.what());
  }
}

void read_named(const OscillationText& text, Oscillation& into, Mistakes& mistakes) {
  const std::vector<Symbol> used = symbols_of(into);
  for (const auto& [name, formula] : text.inits)
    mistakes.of("init." + name, [&, &name = name, &formula = formula] {
      const Symbol symbol = named_symbol(name, used, false);
      const Expr init = parse_formula(formula, FormulaUse::kInit);
      check_init(symbol, init);
      into.inits[symbol] = init;
    });
  for (const auto& [name, formula] : text.ranks)
    mistakes.of("rank." + name, [&, &name = name, &formula = formula] {
      const Symbol symbol = named_symbol(name, used, true);
      const Expr rank = parse_formula(formula, FormulaUse::kRank);
      refuse_undefined(rank);
      if (range_of(rank).high.value < 1) throw FormulaError(1, "a rank must be at least 1");
      into.ranks[symbol] = rank;
    });
}

// Sets what an oscillation's row and a form's row have in common; an empty text changes nothing.
template <class Row>
void read_row(const Row& row, Oscillation* into) {
  into->help = row.help;
  if (!row.o.empty()) into->o = parse_formula(row.o);
  if (!row.scale.empty()) into->scale = parse_formula(row.scale, FormulaUse::kScale);
  if (!row.read.empty()) into->read = parse_formula(row.read, FormulaUse::kScale);
  for (const auto& [symbol, formula] : row.inits)
    if (!symbol.empty())
      into->inits[parse_symbol(symbol)] = parse_formula(formula, FormulaUse::kInit);
}

Oscillation from_row(const OscillationRow& row) {
  Oscillation result;
  result.name = row.name;
  read_row(row, &result);
  if (!row.fixed.empty()) result.fixed = parse_formula(row.fixed);
  if (!row.rank.symbol.empty())
    result.ranks[parse_symbol(row.rank.symbol)] =
        parse_formula(row.rank.formula, FormulaUse::kRank);
  if (!row.stored.empty()) result.stored = parse_formula(row.stored, FormulaUse::kRank);
  result.whole = row.whole;
  result.matrix = row.matrix;
  result.growth = row.growth;
  std::vector<Oscillation> forms;
  for (const FormRow& form : form_rows()) {
    if (form.oscillation != row.name) continue;
    forms.push_back(result);
    forms.back().form = form.form;
    read_row(form, &forms.back());
  }
  result.forms = std::move(forms);
  return result;
}

}  // namespace

const Oscillation* form_of(const Oscillation& oscillation, std::string_view form) {
  if (form.empty()) return &oscillation;
  for (const Oscillation& each : oscillation.forms)
    if (each.form == form) return &each;
  return nullptr;
}

std::vector<Symbol> symbols_of(const Oscillation& oscillation) {
  Expr all = oscillation.o;
  for (const Expr& more : {oscillation.scale, oscillation.read})
    if (more) all = add(all, more);
  return symbols_of(all);
}

Oscillation make_oscillation(const OscillationText& text) {
  Oscillation result;
  result.name = text.name;
  result.growth = text.growth;
  result.help = text.help;
  result.origin = text.origin;
  Mistakes mistakes;
  mistakes.of("name", [&] {
    if (!is_name(text.name))
      throw FormulaError(1, "'" + text.name +
                                "' is not a valid name: use a lowercase letter, then lowercase "
                                "letters, digits and '_', at most 32 characters");
  });
  mistakes.of("o", [&] {
    const Expr o = parse_formula(text.o);
    check_gate(o, text.growth);
    result.o = o;
  });
  mistakes.of("scale", [&] {
    if (text.scale.empty()) return;
    result.scale = parse_formula(text.scale, FormulaUse::kScale);
    if (result.o) check_weight_text(result.scale, result.o);
  });
  mistakes.of("read", [&] {
    if (text.read.empty()) return;
    result.read = parse_formula(text.read, FormulaUse::kScale);
    if (result.o) check_weight_text(result.read, result.o);
  });
  if (result.o) read_named(text, result, mistakes);
  mistakes.raise();
  return result;
}

bool can_grow(const Oscillation& oscillation) {
  return !oscillation.matrix && !is_bounded(range_of(gate_of(oscillation.o).real));
}

std::vector<std::string> warnings_of(const Oscillation& oscillation) {
  std::vector<std::string> result;
  if (oscillation.matrix) return result;
  const Expr real = gate_of(oscillation.o).real;
  const Interval range = range_of(real);
  if (!is_bounded(range))
    result.push_back("the range of the gate is " + text_of(range.low, range.high) +
                     ": the memory may grow without bound");
  if (is_constant(simplify(real), 0))
    result.push_back("the gate is always 0: nothing is remembered beyond one step");
  for (const std::vector<Symbol> used = symbols_of(oscillation); const Symbol& s : used) {
    if (s.number < 2) continue;
    Symbol before = s;
    before.number = s.number == 2 ? 0 : s.number - 1;
    if (!std::binary_search(used.begin(), used.end(), before))
      result.push_back("'" + to_string(s) + "' is used without '" + to_string(before) + "'");
  }
  return result;
}

Catalogue::Catalogue() {
  for (const OscillationRow& row : oscillation_rows()) add(from_row(row));
}

void Catalogue::add(Oscillation oscillation) {
  if (const Oscillation* taken = find(oscillation.name))
    throw OscillationError(
        "name", 1,
        "'" + oscillation.name + "' is " +
            (taken->origin.empty() ? "built in" : "already defined in " + taken->origin) +
            ": choose another name");
  places_.emplace(oscillation.name, all_.size());
  all_.push_back(std::move(oscillation));
}

const Oscillation* Catalogue::find(std::string_view name) const {
  const auto found = places_.find(std::string(name));
  return found == places_.end() ? nullptr : &all_[found->second];
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> names;
  for (const Oscillation& each : all_) names.push_back(each.name);
  return names;
}

}  // namespace lcsm
