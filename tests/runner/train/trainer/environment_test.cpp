#include "runner/train/trainer/environment.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace runner {
namespace {

TEST(Environment, NamesTheProcessAndItsHost) {
  const results::Values found = environment_of_process();
  const auto text = [&](const char* name) { return std::get<std::string>(found.at(name)); };
  const auto number = [&](const char* name) { return std::get<std::int64_t>(found.at(name)); };
  EXPECT_EQ(number("pid"), getpid());
  EXPECT_EQ(number("threads"), at::get_num_threads());
  EXPECT_EQ(text("boot").size(), 36u);
  EXPECT_EQ(text("program").size(), 40u) << "readelf -n shows it";
  EXPECT_TRUE(text("libtorch").starts_with("2.")) << text("libtorch");
  EXPECT_FALSE(text("host").empty());
  EXPECT_EQ(text("device"), "cpu");
  const auto words = nlohmann::json::parse(std::get<results::List>(found.at("argv")).json);
  EXPECT_NE(words.at(0).get<std::string>().find("runner_train_tests"), std::string::npos);
}

// Started after the host, and no later than now.
TEST(Environment, KnowsWhenTheProcessStarted) {
  double up = 0;
  std::ifstream("/proc/uptime") >> up;
  const auto ticks = std::get<std::int64_t>(environment_of_process().at("started_ticks"));
  const double started = static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  EXPECT_GT(started, 0);
  EXPECT_LE(started, up + 1);
}

TEST(Environment, IsAJsonObject) {
  const auto json = nlohmann::json::parse(
      json_text({{"a", true}, {"b", results::List{"[1,\"two\"]"}}, {"c", std::string("\"")}}));
  EXPECT_EQ(json.dump(), R"({"a":true,"b":[1,"two"],"c":"\""})");
  EXPECT_EQ(json_text({{"a", std::string("\xff")}}), "{\n  \"a\": \"\ufffd\"\n}\n");
}

}  // namespace
}  // namespace runner
