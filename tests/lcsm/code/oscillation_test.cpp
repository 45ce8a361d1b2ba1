#include "lcsm/code/oscillation.h"

#include <gtest/gtest.h>

#include "lcsm/code/variant.h"

namespace lcsm {
namespace {

// "key:column: reason"
std::string refusal_of_text(OscillationText text) {
  if (text.name.empty()) text.name = "custom";
  try {
    make_oscillation(text);
  } catch (const OscillationError& error) {
    return error.key + ":" + std::to_string(error.column) + ": " + error.what();
  }
  return "accepted";
}

void expect_refused_oscillation(const OscillationText& text, const std::string& where,
                                const std::string& part) {
  const std::string why = refusal_of_text(text);
  EXPECT_EQ(why.substr(0, where.size() + 1), where + ":") << text.o << " -> " << why;
  EXPECT_NE(why.find(part), std::string::npos) << text.o << " -> " << why;
}

}  // namespace

TEST(Oscillation, RefusesARotationThatIsNotAFactor) {
  expect_refused_oscillation({.o = "0.5 + rotate(w_k)"}, "o:7",
                             "must be a factor of the whole gate");
  expect_refused_oscillation({.o = "rotate(rotate(w_k))"}, "o:8", "must be a factor");
  expect_refused_oscillation({.o = "rotate(w_k) * rotate(p_k)"}, "o:15", "occurs twice");
}

TEST(Oscillation, RefusesWeightsThatDoNotFitTheMemory) {
  expect_refused_oscillation({.o = "sigmoid(w_kd)", .scale = "rotate(w_kd)"}, "scale:1",
                             "the gate is real");
  expect_refused_oscillation({.o = "sigmoid(w_kd)", .read = "complex(w_kd, 1)"}, "read:1",
                             "the gate is real");
  expect_refused_oscillation({.o = "rotate(w_kd)", .scale = "tanh(q)"}, "scale:1",
                             "expects a real number");
  expect_refused_oscillation({.o = "rotate(w_kd)", .scale = "q^w_kd"}, "scale:2", "whole powers");
  expect_refused_oscillation({.o = "rotate(w_kd)", .read = "log(q - 1)"}, "read:1",
                             "expects a real number");
}

TEST(Oscillation, TakesWeightsOfAComplexMemory) {
  const Oscillation accepted = make_oscillation({.name = "mine",
                                                 .o = "exp(-exp(w_kd)) * rotate(w_kd2)",
                                                 .scale = "sqrt(1 - abs(q)^2)",
                                                 .read = "complex(w_kd3, w_kd4)",
                                                 .inits = {{"w_kd4", "normal"}}});
  EXPECT_EQ(to_string(weight_parts(accepted.scale, accepted.o).re),
            "sqrt(1 - abs(exp(-exp(w_kd)))^2)");
  EXPECT_EQ(weight_parts(accepted.scale, accepted.o).im, nullptr);
  EXPECT_EQ(to_string(weight_parts(accepted.read, accepted.o).im), "w_kd4");
  EXPECT_EQ(symbols_of(accepted).size(), 5u) << "o among them";
}

TEST(Oscillation, RefusesARunningSoftmaxInsideAFunction) {
  expect_refused_oscillation({.o = "exp(-cumsoftmax(p_k))"}, "o:6", "must be a factor");
  expect_refused_oscillation({.o = "cumsoftmax(p_k * w_d)"}, "o:16", "not over both");
}

TEST(Oscillation, RefusesGatesThatLeaveTheUnitInterval) {
  expect_refused_oscillation({.o = "p_k"}, "o:1", "is not within (-1, 1]");
  expect_refused_oscillation({.o = "2 * sigmoid(p)"}, "o:1", "(0, 2)");
  expect_refused_oscillation({.o = "exp(w_d)"}, "o:1", "growth = true");
  expect_refused_oscillation({.o = "0 - 1"}, "o:1", "[-1, -1]");
  EXPECT_EQ(refusal_of_text({.o = "exp(w_d)", .growth = true}), "accepted");
  EXPECT_EQ(refusal_of_text({.o = "tanh(p_k)"}), "accepted");
}

TEST(Oscillation, RefusesWhatIsUndefinedSomewhere) {
  expect_refused_oscillation({.o = "sigmoid(log(p))"}, "o:9", "can be 0 or less");
  expect_refused_oscillation({.o = "sigmoid(1 / p_k)"}, "o:11", "can be 0");
  expect_refused_oscillation({.o = "rotate(sqrt(w_k))"}, "o:8", "can be negative");
  expect_refused_oscillation({.o = "sigmoid(p)", .scale = "sqrt(p)"}, "scale:1", "can be negative");
}

TEST(Oscillation, KnowsTheGatesRangeInItsScale) {
  EXPECT_EQ(refusal_of_text({.o = "sigmoid(p_d)", .scale = "sqrt(1 - o^2)"}), "accepted");
  expect_refused_oscillation({.o = "cumsoftmax(p_k)", .scale = "log(o)"}, "scale:1",
                             "can be 0 or less");
  expect_refused_oscillation({.o = "tanh(p_d)", .scale = "sqrt(o)"}, "scale:1", "can be negative");
}

TEST(Oscillation, RefusesInitsThatDoNotFit) {
  const auto init = [](const std::string& name, const std::string& formula) {
    return OscillationText{.o = "sigmoid(p_k * w_d)^(1/tau)", .inits = {{name, formula}}};
  };
  expect_refused_oscillation(init("w_k", "0"), "init.w_k:1", "does not occur in the formula");
  expect_refused_oscillation(init("tau", "0"), "init.tau:1", "is not learned");
  expect_refused_oscillation(init("w_d", "index_k"), "init.w_d:1",
                             "an axis that 'w_d' does not have");
  expect_refused_oscillation(init("w_d", "log(normal)"), "init.w_d:1", "can be 0 or less");
  expect_refused_oscillation(init("p_k", "index_k"), "init.p_k:1", "share one initial value");
  EXPECT_EQ(refusal_of_text(init("w_d", "log(1 + index_d) / size_k")), "accepted");
}

TEST(Oscillation, RefusesRanksThatDoNotFit) {
  const auto rank = [](const std::string& name, const std::string& formula) {
    return OscillationText{.o = "sigmoid(p_k * w_d)", .ranks = {{name, formula}}};
  };
  expect_refused_oscillation(rank("w_d", "4"), "rank.w_d:1", "is not a projection");
  expect_refused_oscillation(rank("p_k", "0"), "rank.p_k:1", "must be at least 1");
  expect_refused_oscillation(rank("p_k", "-size_d"), "rank.p_k:1", "must be at least 1");
  EXPECT_EQ(refusal_of_text(rank("p_k", "size_d / 16")), "accepted");
}

TEST(Oscillation, RefusesNamesThatNoCodeCanHold) {
  for (const std::string name :
       {"Griffin", "1a", "a-b", "a b", "a@b", "_a", "ö", "a123456789012345678901234567890123"})
    expect_refused_oscillation({.name = name, .o = "1"}, "name:1", "is not a valid name");
  EXPECT_THROW(Catalogue().add(make_oscillation({.name = "ssm", .o = "1"})), OscillationError);
}

TEST(Catalogue, FindsEachOfMany) {
  Catalogue catalogue;
  const std::size_t built_in = catalogue.all().size();
  Oscillation one = make_oscillation({.name = "g", .o = "sigmoid(p_k)"});
  for (int i = 0; i < 20'000; ++i) {
    one.name = "g" + std::to_string(i);
    catalogue.add(one);
  }
  const Catalogue copy = catalogue;
  EXPECT_EQ(copy.find("g19999"), &copy.all().back());
  EXPECT_EQ(copy.find("g0"), &copy.all()[built_in]);
  EXPECT_EQ(copy.find("0"), &copy.all()[0]);
  EXPECT_EQ(copy.find("g20000"), nullptr);
}

TEST(Oscillation, WarnsOfWhatMayNotBeIntended) {
  const auto warnings = [](const OscillationText& text) {
    OscillationText named = text;
    named.name = "custom";
    return warnings_of(make_oscillation(named)).size();
  };
  EXPECT_EQ(warnings({.o = "sigmoid(p_k)"}), 0u);
  EXPECT_EQ(warnings({.o = "exp(w_k)", .growth = true}), 1u);
  EXPECT_EQ(warnings({.o = "sigmoid(p_k2)"}), 1u);
  EXPECT_EQ(warnings({.o = "0"}), 1u);
}

// A custom oscillation with a built-in one's formulas is accepted without a warning.
TEST(Oscillation, FormsAreWhatACustomOneMayBe) {
  const Catalogue catalogue;
  for (const FormRow& row : form_rows()) {
    SCOPED_TRACE(std::string(row.oscillation) + " " + std::string(row.form));
    const Oscillation& form = *form_of(*catalogue.find(row.oscillation), row.form);
    OscillationText text{.name = "same", .o = to_string(form.o)};
    if (form.scale) text.scale = to_string(form.scale);
    if (form.read) text.read = to_string(form.read);
    for (const NamedFormula& init : row.inits)
      if (!init.symbol.empty()) text.inits[std::string(init.symbol)] = std::string(init.formula);
    EXPECT_EQ(refusal_of_text(text), "accepted");
    EXPECT_TRUE(warnings_of(form).empty());
  }
}

TEST(Variant, NamesTheTensorsOfALayer) {
  const Catalogue catalogue;
  std::string list;
  for (const Parameter& t : tensors_of(make_variant(parse_code("ssm", catalogue), catalogue)))
    list += t.name + " " + std::to_string(t.count()) + "\n";
  EXPECT_EQ(list,
            "input.weight 262144\nexpand.weight 65536\noscillation.p_d.down.weight 16384\n"
            "oscillation.p_d.up.weight 16384\noscillation.w_kd 65536\nshrink.weight 65536\n"
            "norm.weight 512\nnorm.bias 512\noutput.weight 262144\n");
}

TEST(Variant, FreezesTheGatesOwnTensorsOnly) {
  const Catalogue catalogue;
  for (const Parameter& t :
       tensors_of(make_variant(parse_code("1-9-1-0@gate=frozen", catalogue), catalogue)))
    EXPECT_EQ(t.learned, !t.of_gate) << t.name;
}

TEST(Variant, TakesASixteenthOfTheWidthAsRankOfSsm) {
  const Catalogue catalogue;
  const auto rank = [&](const std::string& code) {
    return make_variant(parse_code(code, catalogue), catalogue).rank(parse_symbol("p_d"));
  };
  EXPECT_EQ(rank("ssm"), 32);
  EXPECT_EQ(rank("ssm@d=64"), 4);
  EXPECT_EQ(rank("ssm@d=8"), 1);
  EXPECT_EQ(rank("ssm@r=16"), 16);
}

}  // namespace lcsm
