#include "runner/base/cli/completion.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace runner {
namespace {

using Words = std::vector<std::string>;

struct Values {
  std::string scale, file, code;
  std::vector<std::string> codes, d, keys;
  bool json = false;
};

// A program with one verb of every kind of option.
struct Program {
  Verb lcsm{"lcsm", ""};
  Values values;

  Program() {
    Verb& codes = lcsm.verb("codes", "list codes");
    codes.argument("code", &values.codes, "").completes([](const std::string&) {
      return std::vector<Candidate>{{"1-9-1-0", "nine"}, {"1-*-1-0"}, {"ssm", "Mamba"}};
    });
    codes.option("--scale", &values.scale, "").choices({{"paper"}, {"laptop", "minutes"}});
    codes.option("--file", &values.file, "").existing_file();
    codes.option("--d", &values.d, "");
    codes.option("--keys", &values.keys, "")
        .separated_by(',')
        .completes([](const std::string& prefix) {
          return std::vector<Candidate>{{"model.d"}, {"seed"}, {prefix + "+"}};
        });
    codes.flag("--json", &values.json, "");
    Verb& copy = lcsm.verb("copy", "two arguments");
    copy.argument("from", &values.code, "").completes([](const std::string&) {
      return std::vector<Candidate>{{"a"}};
    });
    copy.argument("to", &values.file, "").completes([](const std::string&, const Words& before) {
      return std::vector<Candidate>{{before.back() + "-copy"}};
    });
  }
  Words words(const Words& typed) const {
    Words found;
    for (const Candidate& candidate : complete(lcsm, typed).candidates)
      found.push_back(candidate.word);
    return found;
  }
};

}  // namespace

TEST(Completion, VerbsFirst) {
  const Program program;
  EXPECT_EQ(program.words({""}), (Words{"codes", "copy", "help"}));
  EXPECT_EQ(program.words({}), program.words({""}));
  EXPECT_EQ(program.words({"co"}), (Words{"codes", "copy"}));
  EXPECT_EQ(program.words({"help", "cod"}), (Words{"codes"}));
  EXPECT_EQ(program.words({"x"}), Words{});
}

TEST(Completion, ArgumentsByTheirPosition) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "1-"}), (Words{"1-9-1-0", "1-*-1-0"}));
  EXPECT_EQ(program.words({"codes", "1-9-1-0", "s"}), (Words{"ssm"}));
  EXPECT_EQ(program.words({"copy", ""}), (Words{"a"}));
  EXPECT_EQ(program.words({"copy", "a", ""}), (Words{"a-copy"}));
}

TEST(Completion, OptionsOfTheVerbEachOnce) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "--"}),
            (Words{"--help", "--scale", "--file", "--d", "--keys", "--json"}));
  EXPECT_EQ(program.words({"codes", "--json", "--j"}), Words{});
  EXPECT_EQ(program.words({"codes", "--d", "3", "--d"}), (Words{"--d"})) << "takes several";
  EXPECT_EQ(program.words({"codes", "--", "--"}), Words{}) << "no options after --";
}

TEST(Completion, ValuesOfOptions) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "--scale", ""}), (Words{"paper", "laptop"}));
  EXPECT_EQ(program.words({"codes", "--scale=l"}), (Words{"--scale=laptop"}));
  EXPECT_EQ(program.words({"codes", "--scale", "laptop", "s"}), (Words{"ssm"}));
  EXPECT_EQ(program.words({"codes", "--keys", "seed", "s"}), (Words{"ssm"})) << "one at a time";
  EXPECT_EQ(program.words({"codes", "--nonsense=l"}), Words{});
  EXPECT_TRUE(complete(program.lcsm, {"codes", "--file", ""}).files);
  EXPECT_TRUE(complete(program.lcsm, {"codes", "--file=a"}).files);
}

TEST(Completion, TheLastValueOfAList) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "--keys", "model.d,s"}), (Words{"model.d,seed", "model.d,s+"}));
  EXPECT_EQ(program.words({"codes", "--keys=seed,m"}),
            (Words{"--keys=seed,model.d", "--keys=seed,m+"}));
}

TEST(Completion, AnswersBashWithTheEndOfTheWordQuoted) {
  const Program program;
  const auto bash = [&](const std::string& line, const std::string& word) {
    return answer_completion(program.lcsm, {"bash", line, word});
  };
  EXPECT_EQ(bash("lcsm co", "co"), "codes \ncopy \n");
  EXPECT_EQ(bash("lcsm codes --scale=l", "l"), "laptop \n");
  EXPECT_EQ(bash("lcsm codes --scale=", ""), "paper \nlaptop \n");
  EXPECT_EQ(bash("lcsm codes 1-*", "1-*"), "1-\\*-1-0 \n");
  EXPECT_EQ(bash("lcsm codes 1-\\*", "1-\\*"), "1-\\*-1-0 \n");
  EXPECT_EQ(bash("lcsm codes '1-*", "1-*"), "1-*-1-0\n");
  EXPECT_EQ(bash("lcsm codes --file ", ""), ":files\n");
  EXPECT_EQ(bash("", ""), "");
}

TEST(Completion, AnswersTheOthersWithWordAndHelp) {
  const Program program;
  EXPECT_EQ(answer_completion(program.lcsm, {"zsh", "codes", "s"}), "ssm\tMamba\n");
  EXPECT_EQ(answer_completion(program.lcsm, {"fish", "codes", "'1-9"}), "1-9-1-0\tnine\n");
  EXPECT_EQ(answer_completion(program.lcsm, {"zsh", "codes", "1-*"}), "1-*-1-0\n");
  EXPECT_EQ(answer_completion(program.lcsm, {"zsh"}), "");
  EXPECT_EQ(answer_completion(program.lcsm, {}), "");
}

TEST(Completion, AFailingCompleterIsSilent) {
  Verb program("lcsm", "");
  std::string value;
  program.argument("x", &value, "").completes([](const std::string&) -> std::vector<Candidate> {
    throw std::runtime_error("no such file");
  });
  EXPECT_EQ(answer_completion(program, {"zsh", ""}), "");
}

}  // namespace runner
