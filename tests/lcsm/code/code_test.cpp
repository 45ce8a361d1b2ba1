#include "lcsm/code/code.h"

#include <gtest/gtest.h>

#include "lcsm/code/tables.h"
#include "tests/message_of.h"

namespace lcsm {
namespace {

const Catalogue kCodeBuiltIn;

std::string canonical(const std::string& text) {
  return to_string(parse_code(text, kCodeBuiltIn), kCodeBuiltIn);
}

// "column: reason" for a code that must be refused.
std::string refusal_of_code(const std::string& text) {
  try {
    parse_code(text, kCodeBuiltIn);
  } catch (const CodeError& error) {
    return std::to_string(error.column) + ": " + error.what();
  }
  return "accepted";
}

void expect_refused_code(const std::string& text, std::size_t column, const std::string& part) {
  const std::string why = refusal_of_code(text);
  EXPECT_EQ(why.substr(0, why.find(':')), std::to_string(column)) << text << " -> " << why;
  EXPECT_NE(why.find(part), std::string::npos) << text << " -> " << why;
}

}  // namespace

TEST(Code, ReadsBackEveryCodeAndEveryOption) {
  for (const Code& plain : all_codes(kCodeBuiltIn)) {
    const std::string text = to_string(plain, kCodeBuiltIn);
    EXPECT_EQ(parse_code(text, kCodeBuiltIn), plain) << text;
    for (const std::string& options : std::vector<std::string>{
             "@o=fixed", "@gate=frozen", "@tau=8", "@tau=0.1,k=64,d=256", "@r=8", "@form=real",
             "@form=inv,k=4", "@gate=frozen,tau=2,k=1,d=1048576,r=3"}) {
      if (refusal_of_code(text + options) != "accepted") continue;
      EXPECT_EQ(canonical(text + options), text + options);
    }
  }
}

TEST(Code, CountsEveryCombinationThatMakesSense) {
  std::size_t count = 0;
  for (const Oscillation& row : kCodeBuiltIn.all())
    count += row.whole ? 1 : 4 * activation_rows().size();
  EXPECT_EQ(all_codes(kCodeBuiltIn).size(), count);
  EXPECT_GE(count, 13u * 32 + 5);  // 13 oscillations of the paper and five whole ones
}

TEST(Code, LeavesDefaultsOutAndOrdersOptions) {
  EXPECT_EQ(canonical("1-9-1-4@tau=16"), "1-9-1-4");
  EXPECT_EQ(canonical("1-9-1-4@tau=1.6e1,o=learned,gate=trained"), "1-9-1-4");
  EXPECT_EQ(canonical("1-9-1-4@k=64,tau=8"), "1-9-1-4@tau=8,k=64");
  EXPECT_EQ(canonical("ssm@d=64,r=4"), "ssm@d=64,r=4");
  EXPECT_EQ(canonical("0-0-0-0@tau=16.0,gate=frozen"), "0-0-0-0@gate=frozen");
}

TEST(Code, RefusesHeadsWhereTheyGoWrong) {
  expect_refused_code("", 1, "expected a code of four parts");
  expect_refused_code("1-1-1", 1, "expected a code of four parts");
  expect_refused_code("lruu", 1, "got 'lruu'; did you mean 'lru'?");
  expect_refused_code("1-1-1-0-0", 1, "expected a code of four parts");
  expect_refused_code("2-1-1-0", 1, "e must be 0 or 1, got '2'");
  expect_refused_code("1-99-1-0", 3, "unknown oscillation '99'; 'lcsm codes' lists them");
  expect_refused_code("1-mine-1-0", 3,
                      "'mine'; 'lcsm codes' lists them, with those of oscillations.toml");
  expect_refused_code("1-1-x-0", 5, "s must be 0 or 1, got 'x'");
  expect_refused_code("1-12-1-99", 8, "a must be 0 to ");
  expect_refused_code("1-12-1-07", 8, "got '07'");
  expect_refused_code("1-ssm-1-0", 3, "is a code by itself");
  expect_refused_code("0-0", 1, "written ssm");
  expect_refused_code("sm", 1, "did you mean 'ssm'");
  expect_refused_code("12", 1, "write 1-12-1-0");
}

TEST(Code, RefusesOptionsWhereTheyGoWrong) {
  expect_refused_code("1-1-1-0@", 9, "expected an option");
  expect_refused_code("1-1-1-0@tua=8", 9, "did you mean 'tau'");
  expect_refused_code("1-1-1-0@tau=0", 13, "above 0");
  expect_refused_code("1-1-1-0@tau=nan", 13, "above 0");
  expect_refused_code("1-1-1-0@tau=8,tau=9", 15, "is given twice");
  expect_refused_code("1-1-1-0@k=0", 11, "a memory without rows stores nothing");
  expect_refused_code("1-1-1-0@d=1048577", 11, "1048576");
  expect_refused_code("1-1-1-0@gate=forzen", 14, "did you mean 'frozen'");
  expect_refused_code("1-1-1-0@r=8", 9, "no low-rank projection");
}

TEST(Code, RefusesOptionsThatTheGateDoesNotUse) {
  expect_refused_code("1-10-1-0@tau=8", 10, "tau is not used");
  expect_refused_code("1-10-1-0@gate=frozen", 10, "no tensors to freeze");
  expect_refused_code("1-9-1-0@o=fixed", 9, "has no fixed form; these have one: 0, 4, 5");
  expect_refused_code("0-0-0-0@o=fixed,tau=8", 17, "tau is not used");
  expect_refused_code("0-0-0-0@o=fixed,gate=frozen", 17, "no tensors to freeze");
}

TEST(Code, ReportsAMissingFixedFormBeforeOtherOptions) {
  expect_refused_code("1-9-1-0@tau=8,o=fixed", 15, "no fixed form");
  expect_refused_code("ssm@gate=frozen,o=fixed", 17, "no fixed form");
}

TEST(Code, TakesComplexMemoriesWithAnyEAndS) {
  for (const std::string o : {"11", "ces", "ema", "s4d", "lru"})
    for (const std::string& text : {"0-" + o + "-1-0", "1-" + o + "-0-3", "1-" + o + "-1-2"})
      EXPECT_EQ(canonical(text), text);
}

TEST(Code, ReadsBackEveryForm) {
  for (const FormRow& row : form_rows()) {
    const std::string text = "1-" + std::string(row.oscillation) + "-0-0@form=";
    EXPECT_EQ(canonical(text + std::string(row.form)), text + std::string(row.form));
    EXPECT_EQ(canonical(text + std::string(row.form) + ",k=8"),
              text + std::string(row.form) + ",k=8");
  }
  EXPECT_EQ(canonical("0-ces-0-0@gate=frozen,form=real"), "0-ces-0-0@form=real,gate=frozen");
}

TEST(Code, RefusesFormsThatAreNotThere) {
  expect_refused_code("0-ces-0-0@form=reel", 16, "did you mean 'real'");
  expect_refused_code("0-ces-0-0@form=", 16,
                      "its forms are real, no_alpha, no_beta, small, stable");
  expect_refused_code("1-9-1-0@form=real", 14, "has no other form; these have: ces, s4d");
  expect_refused_code("ssm@form=real", 10, "has no other form");
}

TEST(Code, ShowsAnOscillationInItsOwnForm) {
  const auto plain = [](const std::string& o) {
    return plain_code(*kCodeBuiltIn.find(o), kCodeBuiltIn);
  };
  EXPECT_EQ(plain("11"), "1-11-1-0");
  EXPECT_EQ(plain("ces"), "0-ces-0-0");
  EXPECT_EQ(plain("ssm"), "ssm");
}

TEST(Code, RefusesAGateOfAStaticExpand) {
  Catalogue custom;
  custom.add(make_oscillation({.name = "eraser", .o = "1 - sigmoid(e_k)"}));
  EXPECT_NO_THROW(parse_code("1-eraser-0-0", custom));
  EXPECT_THROW(parse_code("0-eraser-1-0", custom), CodeError);
  custom.add(make_oscillation({.name = "echo", .o = "sigmoid(p_k)", .read = "e_k"}));
  EXPECT_NO_THROW(parse_code("1-echo-0-0", custom));
  EXPECT_THROW(parse_code("0-echo-0-0", custom), CodeError);
}

TEST(CodePattern, SelectsInTheOrderOfAllCodes) {
  const auto names = [](const std::string& pattern) {
    std::string list;
    for (const Code& code : select_codes(pattern, kCodeBuiltIn).codes)
      list += (list.empty() ? "" : " ") + to_string(code, kCodeBuiltIn);
    return list;
  };
  EXPECT_EQ(names("1-1[0-2]-1-0"), "1-10-1-0 1-11-1-0 1-12-1-0");
  EXPECT_EQ(names("*-{5,0,4}-1-0@o=fixed"),
            "0-0-1-0@o=fixed 1-0-1-0@o=fixed 0-4-1-0@o=fixed 1-4-1-0@o=fixed 0-5-1-0@o=fixed "
            "1-5-1-0@o=fixed");
  EXPECT_EQ(names("m[12]"), "m1 m2");
  EXPECT_EQ(names("1-?-1-0@o=fixed"), "1-0-1-0@o=fixed 1-4-1-0@o=fixed 1-5-1-0@o=fixed");
  EXPECT_EQ(names("1-9-1-0@tau=8"), "1-9-1-0@tau=8");
}

TEST(CodePattern, ListsWhatItLeavesOut) {
  const Selection selection = select_codes("1-{9,10}-1-0@tau=8", kCodeBuiltIn);
  EXPECT_EQ(selection.codes.size(), 1u);
  ASSERT_EQ(selection.left_out.size(), 1u);
  EXPECT_EQ(selection.left_out[0].substr(0, 9), "1-10-1-0:");
}

TEST(CodePattern, RefusesWhatSelectsNothing) {
  const auto refused = [](const std::string& pattern) {
    return message_of<CodeError>([&] { select_codes(pattern, kCodeBuiltIn); });
  };
  EXPECT_EQ(refused("1-{3,lruu}-1-0"),
            "'1-lruu-1-0': unknown oscillation 'lruu'; did you mean 'lru'?");
  const std::string last = std::to_string(activation_rows().size() - 1);
  EXPECT_EQ(refused("1-3-1-{2,99}"), "'1-3-1-99': a must be 0 to " + last + ", got '99'");
  EXPECT_EQ(refused("1-{3,x*}-1-0"),
            "no code matches '1-x*-1-0'; 'lcsm codes' lists the oscillations and activations");
  EXPECT_EQ(refused("1-{3,9-1-0"), "unmatched '{' in '1-{3,9-1-0'");
  EXPECT_THROW(select_codes("2-*", kCodeBuiltIn), CodeError);
  EXPECT_THROW(select_codes("1-10-*@tau=8", kCodeBuiltIn), CodeError);
  EXPECT_THROW(select_codes(std::string("1-*\0", 4), kCodeBuiltIn), CodeError);
  EXPECT_THROW(select_codes("{" + std::string(1 << 20, ',') + "}*", kCodeBuiltIn), CodeError);
}

}  // namespace lcsm
