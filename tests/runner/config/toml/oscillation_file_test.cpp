#include "runner/config/toml/oscillation_file.h"

#include <gtest/gtest.h>

#include "tests/lcsm/formula/fuzz.h"
#include "tests/message_of.h"

namespace runner {
namespace {

// Every error as "line:column: reason", one per line.
std::string oscillation_file_errors(const std::string& text) {
  try {
    parse_oscillations(text, "custom.toml");
  } catch (const SourceErrors& error) {
    std::string list;
    for (const SourceError& each : error.errors())
      list +=
          std::to_string(each.line) + ":" + std::to_string(each.column) + ": " + each.what + "\n";
    return list;
  }
  return "";
}

void expect_error(const std::string& text, const std::string& where, const std::string& part) {
  const std::string list = oscillation_file_errors(text);
  EXPECT_EQ(list.substr(0, where.size() + 1), where + ":") << text << "\n" << list;
  EXPECT_NE(list.find(part), std::string::npos) << text << "\n" << list;
}

}  // namespace

TEST(OscillationFile, ReadsEveryKey) {
  const auto all = parse_oscillations(R"toml(
[oscillation.griffin]
o = "exp(-8 * softplus(w_d) * sigmoid(p_d))"
scale = "sqrt(1 - o^2)"
init.w_d = "log(1 + index_d)"
rank.p_d = 16
help = "as in Griffin"
[other]
x = 1
)toml",
                                      "custom.toml");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "griffin");
  EXPECT_EQ(all[0].origin, "custom.toml:2");
  EXPECT_EQ(all[0].help, "as in Griffin");
  EXPECT_EQ(all[0].inits.size() + all[0].ranks.size(), 2u);
}

TEST(OscillationFile, PointsIntoTheFormula) {
  expect_error("[oscillation.a]\no = \"exp(-sigmod(p_d))\"", "2:11", "did you mean 'sigmoid'");
  expect_error("[oscillation.a]\no = 'p_k'", "2:6", "is not within (-1, 1]");
  expect_error("[oscillation.a]\no = \"1\"\ninit.w_d = \"1\"", "3:13", "does not occur");
  expect_error("[oscillation.a]\no = \"sigmoid(p)\"\nrank.p = 0", "3:10",
               "a rank must be at least 1");
  expect_error("[oscillation.a]\no = \"\\u0070_k\"", "2:5", "is not within (-1, 1]");
  expect_error("[oscillation.a]\no = \"\"\"\nexp(p_k)\"\"\"", "2:5", "is not within (-1, 1]");
}

TEST(OscillationFile, PointsAtKeysAndTables) {
  expect_error("oscillation = 1", "1:15", "write [oscillation.NAME]");
  expect_error("[oscillation]\na = 1", "2:1", "an oscillation must be a table");
  expect_error("[oscillation.a]\nhelp = 'x'", "1:14", "has no gate");
  expect_error("[oscillation.a]\no = ''", "2:6", "got the end");
  expect_error("[oscillation.a]\no = '1'\nhlep = 'x'", "3:1", "did you mean 'help'");
  expect_error("[oscillation.a]\no = true", "2:5", "must be a string in quotes");
  expect_error("[oscillation.a]\no = '1'\ngrowth = 'x'", "3:10", "must be true or false");
  expect_error("[oscillation.a]\no = '2'\ngrowth = 'true'", "3:10", "must be true or false");
  expect_error("[oscillation.a]\no = '1'\nhelp = 3", "3:8", "'help' must be a string in quotes");
  expect_error("[oscillation.a]\no = '1'\ninit = 'x'", "3:8", "must name a symbol");
  expect_error("[oscillation.Bad]\no = '1'", "1:14", "is not a valid name");
  expect_error("[oscillation.a]\no = [", "2:6", "");
}

TEST(OscillationFile, RefusesGatesInOtherTables) {
  expect_error("[oscillaton.mine]\no = '1'", "1:13",
               "a gate is a table [oscillation.mine], got [oscillaton.mine]");
  expect_error("[mine]\no = '1'", "1:2", "a gate is a table [oscillation.mine], got [mine]");
}

TEST(OscillationFile, ReportsEveryErrorAtOnce) {
  const std::string list = oscillation_file_errors(
      "[oscillation.a]\no = 'p_k'\nx = 1\n[oscillation.b]\no = 'q'\n[oscillation.c]\no = '1'\n");
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 3) << list;
  EXPECT_NE(list.find("2:6: the range of the gate"), std::string::npos) << list;
  EXPECT_NE(list.find("3:1: unknown key 'x'"), std::string::npos) << list;
  EXPECT_NE(list.find("5:6: 'q' is allowed only in: scale, read"), std::string::npos) << list;
}

TEST(OscillationFile, AcceptsNumbersAsFormulas) {
  const auto all = parse_oscillations("oscillation.a.o = 1\noscillation.b.o = 0.5", "custom.toml");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(lcsm::to_string(all[0].o), "1");
  EXPECT_EQ(lcsm::to_string(all[1].o), "0.5");
  expect_error("[oscillation.a]\no = nan", "2:5", "");
}

TEST(OscillationFile, PutsTheCaretUnderTheCharacterAfterUnicode) {
  try {
    parse_oscillations("oscillation.a = { help = \"\u00e9\u00e9\", o = \"sigmod(p_k)\" }",
                       "custom.toml");
    FAIL();
  } catch (const SourceErrors& error) {
    const std::string what = error.what();
    const std::size_t line = what.find("\n  ") + 3, caret = what.rfind("\n  ") + 3;
    std::size_t seen = 0, at = line;
    for (; what.compare(at, 6, "sigmod") != 0; ++at) seen += (what[at] & 0xc0) != 0x80;
    EXPECT_EQ(what.find('^', caret) - caret, seen) << what;
  }
}

TEST(OscillationFile, RejectsADuplicateName) {
  expect_error("[oscillation.a]\no = '1'\n[oscillation.a]\no = '1'", "3:1", "redefine");
}

TEST(OscillationFile, ReportsManyMistakesTogether) {
  std::string text;
  for (int i = 1; i <= 20'000; ++i) text += "[oscillation.g" + std::to_string(i) + "]\no = 'x'\r\n";
  try {
    parse_oscillations(text, "many.toml");
    FAIL();
  } catch (const SourceErrors& error) {
    ASSERT_EQ(error.errors().size(), 20'000u);
    const std::string what = error.what();
    EXPECT_NE(what.find("many.toml:40000:"), std::string::npos);
    EXPECT_TRUE(what.ends_with("\n  o = 'x'\n       ^")) << what.substr(what.size() - 60);
  }
}

TEST(OscillationFile, ReportsWhyAFileCannotBeRead) {
  const auto why = [](const std::string& path) {
    return message_of<std::runtime_error>([&] { read_oscillations(path); });
  };
  EXPECT_EQ(why("no/such/file.toml"),
            "'no/such/file.toml' cannot be read: No such file or directory");
  EXPECT_EQ(why("/"), "'/' cannot be read: Is a directory");
}

TEST(OscillationFile, NeverCrashesOnMutatedFiles) {
  const std::string file =
      "[oscillation.a]\no = \"sigmoid(p_k * w_d)^(1/tau)\"\nscale = '1 - o'\ninit.w_d = 0.5\n"
      "rank.p_k = 'size_d / 16'\nhelp = \"\"\"x\"\"\"\ngrowth = true\n";
  const std::vector<std::string> words = {
      "[oscillation.", "]",        "=",   "\"",    "'",  "\n", "o",    "{", "}", "init.", "\"\"\"",
      "\\u00e9",       "\xc3\xa9", "nan", "1e400", "[[", "#",  "true", ",", ".", "p_k",   "\xff"};
  lcsm::test::Fuzzer fuzzer("files", 0.3);
  fuzzer.run([&] {
    std::string text = fuzzer.chance(0.1) ? fuzzer.words(words, 30) : fuzzer.mutated(file, words);
    if (fuzzer.chance(0.1)) text += "\n[oscillation.b]\no = '" + fuzzer.formula() + "'\n";
    fuzzer.timed(text, [&] {
      try {
        parse_oscillations(text, "custom.toml");
      } catch (const SourceErrors& error) {
        for (const SourceError& each : error.errors()) {
          EXPECT_TRUE(each.line >= 1 && each.column >= 1) << each.what;
          EXPECT_FALSE(each.what.empty());
        }
      }
    });
  });
}

}  // namespace runner
