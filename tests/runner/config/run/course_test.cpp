#include "runner/config/run/course.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace runner {
namespace {

// MQAR with 100 examples and a batch of 8: 13 steps per epoch, the last with 4 examples.
Course course_of(std::vector<std::string> settings) {
  for (const char* word :
       {"task.name=mqar", "model.code=1-9-1-0", "optim.batch=8", "task.train=100"})
    settings.insert(settings.begin(), word);
  return Course(parse_config("", "", settings, [](const std::string&) {}), 100);
}

TEST(Course, UsesEveryExampleOncePerEpoch) {
  const Course course = course_of({});
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
    std::int64_t next = 0;
    for (std::int64_t step = epoch * 13 + 1; step <= (epoch + 1) * 13; ++step) {
      const StepExamples examples = course.examples_of(step);
      EXPECT_EQ(examples.epoch, epoch);
      EXPECT_EQ(examples.first, next);
      next += examples.count;
    }
    EXPECT_EQ(next, 100);
  }
  EXPECT_EQ(course.examples_of(13).count, 4);
}

TEST(Course, EndsAtTheFirstLimit) {
  EXPECT_EQ(course_of({"optim.epochs=3"}).steps(), 39);
  EXPECT_EQ(course_of({"optim.epochs=3", "optim.steps=20"}).steps(), 20);
  EXPECT_EQ(course_of({"optim.epochs=0", "optim.minutes=1", "optim.schedule=constant"}).steps(),
            kEndless);
}

TEST(Course, CountsTokens) {
  const auto steps = [](std::int64_t tokens) {
    return course_of({"optim.epochs=0", "optim.schedule=constant", "task.length=16",
                      "optim.tokens=" + std::to_string(tokens)})
        .steps();
  };
  EXPECT_EQ(steps(1), 1);
  EXPECT_EQ(steps(8 * 16), 1);
  EXPECT_EQ(steps(8 * 16 + 1), 2);
  EXPECT_EQ(steps(100 * 16), 13);
  EXPECT_EQ(steps(100 * 16 + 1), 14);
  EXPECT_EQ(course_of({"optim.epochs=1", "task.length=16", "optim.tokens=32000"}).steps(), 13);
}

TEST(Course, CountsItsEvaluations) {
  for (const int steps : {1, 3, 12, 13, 26, 39, 100})
    for (const int every : {0, 1, 4, 13, 26, 1000})
      for (const int epochs : {0, 1, 2, 3}) {
        const Course course = course_of(
            {"optim.epochs=0", "optim.schedule=constant", "optim.steps=" + std::to_string(steps),
             "eval.steps=" + std::to_string(every), "eval.epochs=" + std::to_string(epochs)});
        std::int64_t count = 0;
        for (std::int64_t step = 1; step <= steps; ++step) count += course.evaluates_after(step);
        EXPECT_EQ(course.evaluations(), count) << steps << " " << every << " " << epochs;
      }
  EXPECT_EQ(
      course_of({"optim.epochs=0", "optim.minutes=1", "optim.schedule=constant"}).evaluations(), 0);
}

TEST(Course, EvaluatesByStepsByEpochsAndAtTheEnd) {
  const auto evaluations = [](const Course& course) {
    std::vector<std::int64_t> at;
    for (std::int64_t step = 1; step <= course.steps(); ++step)
      if (course.evaluates_after(step)) at.push_back(step);
    return at;
  };
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(evaluations(course_of({"optim.epochs=2"})), (Steps{13, 26}));
  EXPECT_EQ(evaluations(course_of({"optim.epochs=2", "eval.epochs=0", "eval.steps=10"})),
            (Steps{10, 20, 26}));
  EXPECT_EQ(evaluations(course_of({"optim.epochs=4", "eval.epochs=3", "optim.steps=40"})),
            (Steps{39, 40}));
  EXPECT_EQ(evaluations(course_of({"optim.epochs=1", "eval.epochs=0"})), (Steps{13}));
}

TEST(Course, RisesLinearlyFromItsFirstRate) {
  const Course course = course_of(
      {"optim.schedule=constant", "optim.warmup=4", "optim.lr=1.0", "optim.lr_first=0.2"});
  const double wanted[] = {0.2, 0.4, 0.6, 0.8, 1, 1, 1};
  for (std::int64_t step = 1; step <= 7; ++step)
    EXPECT_NEAR(course.rate(step), wanted[step - 1], 1e-15) << step;
}

TEST(Course, DecaysByTheInverseRootOfTheSteps) {
  const Course course =
      course_of({"optim.schedule=inverse-sqrt", "optim.warmup=4", "optim.lr=1.0"});
  EXPECT_DOUBLE_EQ(course.rate(5), 1);
  EXPECT_DOUBLE_EQ(course.rate(17), 0.5);
  EXPECT_DOUBLE_EQ(course.rate(401), 0.1);
}

// From 1 after step 4 to 0.2 after step 104.
Course decaying(const std::string& schedule) {
  return course_of({schedule, "optim.epochs=0", "optim.steps=104", "optim.warmup=4", "optim.lr=1.0",
                    "optim.lr_last=0.2"});
}

TEST(Course, DecaysLinearlyToItsLastRate) {
  const Course course = decaying("optim.schedule=linear");
  EXPECT_DOUBLE_EQ(course.rate(5), 1);
  EXPECT_DOUBLE_EQ(course.rate(30), 0.8);
  EXPECT_NEAR(course.rate(105), 0.2, 1e-15);
}

TEST(Course, DecaysByACosineToItsLastRate) {
  const Course course = decaying("optim.schedule=cosine");
  EXPECT_DOUBLE_EQ(course.rate(5), 1);
  EXPECT_DOUBLE_EQ(course.rate(55), 0.6);
  EXPECT_NEAR(course.rate(105), 0.2, 1e-15);
  EXPECT_DOUBLE_EQ(course.rate(30), 0.2 + 0.8 * (1 + std::cos(std::numbers::pi / 4)) / 2);
}

// Equals PyTorch's CosineAnnealingLR, stepped once per epoch.
TEST(Course, DecaysByEpochsAsInZoology) {
  const Course course = course_of({"optim.epochs=4", "optim.lr=1.0"});
  for (std::int64_t step = 1; step <= course.steps(); ++step) {
    const auto epoch = static_cast<double>((step - 1) / 13);
    EXPECT_DOUBLE_EQ(course.rate(step), (1 + std::cos(std::numbers::pi * epoch / 4)) / 2) << step;
  }
}

}  // namespace
}  // namespace runner
