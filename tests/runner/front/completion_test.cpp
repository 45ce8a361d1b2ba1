#include "runner/front/completion.h"

#include <gtest/gtest.h>

#include <memory>

namespace runner {
namespace {

using Words = std::vector<std::string>;

struct Values {
  std::string scale, file, code;
  std::vector<std::string> codes;
  std::vector<int> d;
  bool json = false;
};

// A program with one verb of every kind of option.
struct Program {
  CLI::App app;
  Values values;

  Program() {
    app.set_help_flag("-h,--help", "help");
    CLI::App* codes = app.add_subcommand("codes", "list codes");
    complete_with(codes->add_option("code", values.codes), [](const std::string&) {
      return std::vector<Candidate>{{"1-9-1-0", "nine"}, {"1-*-1-0", ""}, {"ssm", "Mamba"}};
    });
    one_of(codes->add_option("--scale", values.scale), {{"paper", ""}, {"laptop", "minutes"}});
    codes->add_option("--file", values.file)->check(CLI::ExistingFile);
    codes->add_option("--d", values.d);
    codes->add_flag("--json", values.json);
    CLI::App* copy = app.add_subcommand("copy", "two positionals");
    complete_with(copy->add_option("from", values.code), [](const std::string&) {
      return std::vector<Candidate>{{"a", ""}};
    });
    complete_with(copy->add_option("to", values.file), [](const std::string&, const Words& before) {
      return std::vector<Candidate>{{before.back() + "-copy", ""}};
    });
  }
  Words words(const Words& typed) const {
    Words found;
    for (const Candidate& candidate : complete(app, typed).candidates)
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

TEST(Completion, PositionalsByTheirPlace) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "1-"}), (Words{"1-9-1-0", "1-*-1-0"}));
  EXPECT_EQ(program.words({"codes", "1-9-1-0", "s"}), (Words{"ssm"}));
  EXPECT_EQ(program.words({"copy", ""}), (Words{"a"}));
  EXPECT_EQ(program.words({"copy", "a", ""}), (Words{"a-copy"}));
}

TEST(Completion, OptionsOfTheVerbEachOnce) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "--"}),
            (Words{"--help", "--scale", "--file", "--d", "--json"}));
  EXPECT_EQ(program.words({"codes", "--json", "--j"}), Words{});
  EXPECT_EQ(program.words({"codes", "--d", "3", "--d"}), (Words{"--d"})) << "takes several";
  EXPECT_EQ(program.words({"codes", "--", "--"}), Words{}) << "no options behind --";
}

TEST(Completion, ValuesOfOptions) {
  const Program program;
  EXPECT_EQ(program.words({"codes", "--scale", ""}), (Words{"paper", "laptop"}));
  EXPECT_EQ(program.words({"codes", "--scale=l"}), (Words{"--scale=laptop"}));
  EXPECT_EQ(program.words({"codes", "--scale", "laptop", "s"}), (Words{"ssm"}));
  EXPECT_EQ(program.words({"codes", "--nonsense=l"}), Words{});
  EXPECT_TRUE(complete(program.app, {"codes", "--file", ""}).files);
  EXPECT_TRUE(complete(program.app, {"codes", "--file=a"}).files);
}

TEST(Completion, OneOfRefusesWithWhatWasMeant) {
  Program program;
  try {
    program.app.parse("codes --scale latpop");
    FAIL() << "accepted 'latpop'";
  } catch (const CLI::ParseError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("expected one of paper, laptop, got 'latpop'; did you mean 'laptop'?"),
              std::string::npos)
        << error.what();
  }
}

TEST(Completion, AnswersBashWithTheEndOfTheWordQuoted) {
  const Program program;
  const auto bash = [&](const std::string& line, const std::string& word) {
    return answer_completion(program.app, {"bash", line, word});
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
  EXPECT_EQ(answer_completion(program.app, {"zsh", "codes", "s"}), "ssm\tMamba\n");
  EXPECT_EQ(answer_completion(program.app, {"fish", "codes", "'1-9"}), "1-9-1-0\tnine\n");
  EXPECT_EQ(answer_completion(program.app, {"zsh", "codes", "1-*"}), "1-*-1-0\n");
  EXPECT_EQ(answer_completion(program.app, {"zsh"}), "");
  EXPECT_EQ(answer_completion(program.app, {}), "");
}

TEST(Completion, AFailingCompleterIsSilent) {
  CLI::App app;
  std::string value;
  complete_with(app.add_option("x", value), [](const std::string&) -> std::vector<Candidate> {
    throw std::runtime_error("no such file");
  });
  EXPECT_EQ(answer_completion(app, {"zsh", ""}), "");
}

}  // namespace runner
