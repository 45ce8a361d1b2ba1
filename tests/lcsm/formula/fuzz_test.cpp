// Random and mutated texts: nothing crashes or hangs. Accepted text parses back to itself and goes
// through every function. Refused text has a column and a reason. LCSM_FUZZ = inputs (10 000),
// LCSM_FUZZ_SEED = seed (1), LCSM_FUZZ_SLOW = milliseconds to report.
#include "tests/lcsm/formula/fuzz.h"

#include <gtest/gtest.h>

#include "lcsm/code/decay.h"
#include "lcsm/code/plan.h"
#include "lcsm/code/wikitext.h"
#include "lcsm/formula/derivative.h"
#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"

namespace lcsm::test {
namespace {

void check_refused(const std::string& text, std::size_t column, const std::string& why) {
  EXPECT_GE(column, 1u) << text;
  EXPECT_LE(column, text.size() + 1) << text << ": " << why;
  EXPECT_FALSE(why.empty()) << text;
}

void ask_everything(const Expr& e) {
  const Expr simple = simplify(e);
  EXPECT_TRUE(equal(simplify(simple), simple)) << to_string(e) << " -> " << to_string(simple);
  for (const Style style : {Style::kAscii, Style::kUnicode, Style::kLatex})
    EXPECT_FALSE(to_string(e, style).empty());
  const Interval range = range_of(e);
  EXPECT_LE(range.low.value, range.high.value) << to_string(e);
  const std::optional<FormulaError> undefined = undefined_at(e);
  EXPECT_TRUE(!undefined || undefined->column >= 1) << to_string(e);
  if (find_call(e, Function::kRotate) || find_call(e, Function::kCumsoftmax)) return;
  if (const auto log_e = log_of(e)) split(*log_e);
  for (const Symbol& s : symbols_of(e)) derivative(e, s);
}

void ask_variant(const Code& code, const Catalogue& catalogue, bool decay) {
  const Variant variant = make_variant(code, catalogue);
  EXPECT_FALSE(summary(plan_of(variant)).empty());
  EXPECT_GE(cost_of(variant).recurrence_flops, 0);
  EXPECT_GE(model_parameters(variant, {50265, default_depth(code, catalogue)}).total(), 0);
  EXPECT_TRUE(!decay || initial_decay(variant).low >= 0) << to_string(code, catalogue);
}

void ask_oscillation(const std::string& text, bool growth, bool decay) {
  OscillationText custom;
  custom.name = "custom";
  custom.o = text;
  custom.growth = growth;
  Catalogue catalogue;
  try {
    catalogue.add(make_oscillation(custom));
  } catch (const OscillationError& error) {
    return check_refused(text, error.column, error.what());
  }
  warnings_of(*catalogue.find("custom"));
  ask_variant(parse_code("1-custom-1-0", catalogue), catalogue, decay);
}

void try_formula(const std::string& text, bool growth, bool decay) {
  Expr e;
  try {
    e = parse_formula(text);
  } catch (const FormulaError& error) {
    return check_refused(text, error.column, error.what());
  }
  const std::string printed = to_string(e);
  EXPECT_TRUE(equal(parse_formula(printed), e)) << text << " -> " << printed;
  ask_everything(e);
  ask_oscillation(text, growth, decay);
}

// The parts of a complex weight go through everything that a formula does.
void ask_parts(const Expr& weight, const Expr& o) {
  const ComplexParts parts = weight_parts(weight, o);
  for (const Expr& part : {parts.re, parts.im}) {
    if (!part || find_call(part, Function::kCumsoftmax)) continue;
    EXPECT_LE(range_of(part).low.value, range_of(part).high.value);
    for (const Symbol& s : symbols_of(part)) derivative(part, s);
  }
}

void try_turning(const OscillationText& text, const std::string& code) {
  Catalogue catalogue;
  try {
    catalogue.add(make_oscillation(text));
  } catch (const OscillationError& error) {
    return check_refused(error.key == "o"       ? text.o
                         : error.key == "scale" ? text.scale
                                                : text.read,
                         error.column, error.what());
  }
  const Oscillation& made = *catalogue.find(text.name);
  ask_parts(made.scale, made.o);
  ask_parts(made.read, made.o);
  try {
    ask_variant(parse_code(code, catalogue), catalogue, false);
  } catch (const CodeError& error) {  // e_k in the gate of a static e
    check_refused(code, error.column, error.what());
  }
}

void try_code(const std::string& text, const Catalogue& catalogue, bool decay) {
  Code code;
  try {
    code = parse_code(text, catalogue);
  } catch (const CodeError& error) {
    return check_refused(text, error.column, error.what());
  }
  const std::string printed = to_string(code, catalogue);
  EXPECT_EQ(parse_code(printed, catalogue), code) << text << " -> " << printed;
  ask_variant(code, catalogue, decay);
}

void try_pattern(const std::string& text, const Catalogue& catalogue) {
  try {
    EXPECT_FALSE(select_codes(text, catalogue).codes.empty());
  } catch (const CodeError& error) {
    check_refused(text, error.column, error.what());
  }
}

}  // namespace

TEST(Fuzz, FormulasNeverCrashAndReadBack) {
  Fuzzer fuzzer("formulas", 0.1);
  fuzzer.run([&] {
    const std::string text = fuzzer.formula();
    fuzzer.timed(text, [&] { try_formula(text, fuzzer.chance(0.5), fuzzer.chance(0.01)); });
  });
}

TEST(Fuzz, GatesThatTurnNeverCrash) {
  Fuzzer fuzzer("gates that turn", 0.05);
  static const std::vector<std::string> codes = {"1-custom-1-0", "0-custom-1-0", "1-custom-0-0",
                                                 "0-custom-0-0"};
  fuzzer.run([&] {
    const OscillationText text{
        .name = "custom", .o = fuzzer.turning(), .scale = fuzzer.weight(), .read = fuzzer.weight()};
    fuzzer.timed(text.o + " | " + text.scale + " | " + text.read,
                 [&] { try_turning(text, fuzzer.pick(codes)); });
  });
}

TEST(Fuzz, CodesNeverCrashAndReadBack) {
  const Catalogue catalogue;
  Fuzzer fuzzer("codes", 0.5);
  fuzzer.run([&] {
    const std::string text = fuzzer.code();
    fuzzer.timed(text, [&] { try_code(text, catalogue, fuzzer.chance(0.01)); });
  });
}

TEST(Fuzz, PatternsNeverCrash) {
  const Catalogue catalogue;
  Fuzzer fuzzer("patterns", 0.02);
  fuzzer.run([&] {
    const std::string text = fuzzer.pattern();
    fuzzer.timed(text, [&] { try_pattern(text, catalogue); });
  });
}

}  // namespace lcsm::test
