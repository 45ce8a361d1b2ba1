#include "runner/config/run/train_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/lcsm/formula/fuzz.h"

namespace runner {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(TrainState, ReadsBackToTheSameBits) {
  for (const double value :
       {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0, kInfinite, -kInfinite}) {
    const TrainState state{7, TrainState::Best{3, value}, {4, value}, "time is \"over\"\n"};
    const TrainState read = train_state(json_text(state));
    EXPECT_EQ(read, state);
    EXPECT_EQ(std::signbit(read.untold.loss), std::signbit(value));
    EXPECT_EQ(json_text(read), json_text(state));
  }
  EXPECT_EQ(train_state(json_text({})), TrainState{});
  EXPECT_TRUE(std::isnan(train_state(json_text({1, {}, {1, std::nan("")}, ""})).untold.loss));
}

TEST(TrainState, RejectsInvalidText) {
  for (const char* text :
       {"", "{", "[]", "{}",
        R"({"step":-1,"best":null,"untold":{"steps":0,"loss":0},"stopped":""})",
        R"({"step":1.5,"best":null,"untold":{"steps":0,"loss":0},"stopped":""})",
        R"({"step":1,"best":{"step":1},"untold":{"steps":0,"loss":0},"stopped":""})",
        R"({"step":1,"best":null,"untold":{"steps":0,"loss":"many"},"stopped":""})",
        R"({"step":1,"best":null,"untold":{"steps":0,"loss":0},"stopped":3})"})
    EXPECT_THROW(train_state(text), std::invalid_argument) << text;
}

// Damaged text is rejected, or gives a state that reads back.
TEST(TrainState, MutatedTextIsReadOrRejected) {
  const std::string text = json_text({7, TrainState::Best{3, kInfinite}, {4, 0.25}, "time limit"});
  const std::vector<std::string> words = {"null",
                                          "\"inf\"",
                                          "-1",
                                          "1e400",
                                          "1.5",
                                          "[",
                                          "{",
                                          "}",
                                          "\"",
                                          ":",
                                          ",",
                                          "\\u0000",
                                          "99999999999999999999",
                                          "\xff"};
  lcsm::test::Fuzzer fuzzer("states", 0.3);
  fuzzer.run([&] {
    const std::string mutated = fuzzer.mutated(text, words);
    fuzzer.timed(mutated, [&] {
      try {
        const std::string read = json_text(train_state(mutated));
        EXPECT_EQ(json_text(train_state(read)), read) << mutated;
      } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << mutated;
      }
    });
  });
}

}  // namespace
}  // namespace runner
