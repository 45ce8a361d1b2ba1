#include "results/events/evaluations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/message_of.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

namespace fs = std::filesystem;

const Evaluation kLonger = {"task.length=512",
                            2500,
                            1e9,
                            {{"test.accuracy", 0.1}, {"test.loss", 2.5}},
                            {{"host", std::string("here")}, {"cores", std::int64_t{2}}}};

Evaluation with(Evaluation evaluation, double time, double accuracy) {
  evaluation.time = time;
  evaluation.metrics[0].second = accuracy;
  return evaluation;
}

}  // namespace

TEST(Evaluations, AreReadAsTheyWereWritten) {
  const Scratch scratch;
  EXPECT_TRUE(read_evaluations(scratch.path()).empty());
  Evaluation wild = kLonger;
  wild.settings = "task.path=\"a \\ b\"";
  wild.metrics[0].second = -std::numeric_limits<double>::infinity();
  write_evaluation(scratch.path(), kLonger);
  write_evaluation(scratch.path(), wild);
  EXPECT_EQ(read_evaluations(scratch.path()), (std::vector<Evaluation>{kLonger, wild}));
}

TEST(Evaluations, MayBeNaN) {
  const Scratch scratch;
  write_evaluation(scratch.path(), with(kLonger, 1e9, std::nan("")));
  EXPECT_TRUE(std::isnan(read_evaluations(scratch.path()).at(0).metrics[0].second));
}

TEST(Evaluations, ReplaceThoseOfTheSameSettingsStepAndSplit) {
  const Scratch scratch;
  Evaluation valid = kLonger, earlier = kLonger;
  valid.metrics = {{"valid.accuracy", 0.3}};
  earlier.step = 2000;
  for (const Evaluation& one : {kLonger, valid, earlier, with(kLonger, 2e9, 0.2)})
    write_evaluation(scratch.path(), one);
  const auto found = read_evaluations(scratch.path());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], earlier);
  EXPECT_EQ(found[1], with(kLonger, 2e9, 0.2));
}

TEST(Evaluations, NameAFileThatIsNone) {
  const Scratch scratch;
  write_evaluation(scratch.path(), kLonger);
  for (const char* text : {"", "{}", "[1]", "{\"schema\":\"lcsm.evaluation/2\"}"}) {
    write_text(scratch.path() / "evaluations" / "x.json", text);
    EXPECT_THROW(read_evaluations(scratch.path()), std::invalid_argument) << text;
  }
}

// std::stod would read it, and throw another exception than readers expect.
TEST(Evaluations, OfANumberBeyondDoublesAreRefused) {
  for (const char* value : {"\"1e999\"", "1e999", "\"1\"", "null"}) {
    const Scratch scratch;
    write_evaluation(scratch.path(), {"", 5, 1, {{"test.ppl", 2.5}}, {}});
    const fs::path file = fs::directory_iterator(scratch.path() / kEvaluationsFolder)->path();
    std::string text = read_text(file);
    text.replace(text.find("2.5"), 3, value);
    write_text(file, text);
    const std::string said = message_of([&] { read_evaluations(scratch.path()); });
    EXPECT_TRUE(said.starts_with(file.string() + ": expected an evaluation")) << value << said;
  }
}

TEST(Evaluations, UniteToTheNewestInAnyOrder) {
  const Scratch a, b;
  write_evaluation(a.path(), with(kLonger, 1, 0.1));
  write_evaluation(b.path(), with(kLonger, 2, 0.2));
  unite_evaluations(a.path(), b.path());
  unite_evaluations(b.path(), a.path());
  EXPECT_EQ(read_evaluations(a.path()), read_evaluations(b.path()));
  EXPECT_EQ(read_evaluations(a.path()).at(0).metrics[0].second, 0.2);
}

}  // namespace results
