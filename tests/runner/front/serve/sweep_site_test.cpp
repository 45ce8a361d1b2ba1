// The pages of a workspace, and `lcsm serve`.
#include "runner/front/serve/sweep_site.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "runner/base/process/exit_code.h"
#include "tests/results/fixture.h"
#include "tests/runner/fake_sweep.h"
#include "tests/runner/front/serve/http_client.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Site : public ::testing::Test {
 protected:
  void SetUp() override {
    results::write_run(scratch.path(), {.number = 1, .sweep = "gates"});
    results::write_run(scratch.path(), {.number = 2, .sweep = "gates", .seed = 2});
    results::write_run(scratch.path(), {.number = 3, .sweep = "other", .status = "failed"});
  }
  HttpResponse ask(const std::string& path, const std::string& token = "1f") {
    return site.answer(
        {.method = "GET", .path = path, .query = {{"token", token}}, .host = "localhost:1"});
  }

  results::Scratch scratch;
  SweepSite site{scratch.path(), "1f", {}};
};

}  // namespace

TEST_F(Site, ListsSweeps) {
  const HttpResponse page = ask("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(has(page.type, "text/html"));
  EXPECT_TRUE(has(*page.body, "<a href=\"/gates?token=1f\">gates</a></td><td>2 done</td>"));
  EXPECT_TRUE(has(*page.body, "<a href=\"/other?token=1f\">other</a></td><td>1 failed</td>"));
}

TEST_F(Site, ShowsASweepWithoutItsFile) {
  EXPECT_TRUE(has(*ask("/gates").body, "data-source=\"/data/gates.json?token=1f\""));
  const HttpResponse data = ask("/data/gates.json");
  EXPECT_EQ(data.type, "application/json");
  const auto json = nlohmann::json::parse(*data.body);
  EXPECT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][1]["at"], nlohmann::json::parse("[\"2\"]"));
  EXPECT_EQ(json["live"], false);
}

TEST_F(Site, GivesNothingWithoutTheToken) {
  for (const char* path : {"/", "/gates", "/data/gates.json", "/none"}) {
    EXPECT_EQ(ask(path, "1e").status, 403) << path;
    EXPECT_FALSE(has(*ask(path, "1e").body, "gates")) << path;
  }
}

TEST_F(Site, HasNoOtherPages) {
  for (const char* path :
       {"/none", "/gates/", "//gates", "/../gates", "/data/../gates.json", "/data/gates", "/data/",
        "/data/.json", "/results.db", "/%67ates", "/gates.json", "/runs", "/data/none.json",
        "/../../etc/passwd", "/data/%2e%2e/x.json"})
    EXPECT_EQ(ask(path).status, 404) << path;
}

TEST_F(Site, ShowsNewResults) {
  SweepSite fresh(scratch.path(), "1f", {});
  results::write_run(scratch.path(), {.number = 4, .sweep = "gates", .seed = 3});
  EXPECT_EQ(nlohmann::json::parse(*ask("/data/gates.json").body)["runs"].size(), 3u);
}

TEST_F(Site, SaysThatItsWorkspaceIsGone) {
  EXPECT_EQ(ask("/data/gates.json").status, 200);
  std::filesystem::rename(scratch.path(), scratch.path().string() + ".moved");
  for (const char* path : {"/", "/gates", "/data/gates.json"}) {
    EXPECT_EQ(ask(path).status, 404) << path;
    EXPECT_TRUE(has(*ask(path).body, "it was moved or removed")) << path;
  }
  std::filesystem::rename(scratch.path().string() + ".moved", scratch.path());
}

TEST_F(Site, HoldsAPageOnceForAllItsReaders) {
  EXPECT_EQ(ask("/gates").body, ask("/gates").body);
  EXPECT_EQ(ask("/data/gates.json").body, ask("/data/gates.json").body);
}

TEST_F(Site, RefusesASweepThatIsNowhere) {
  EXPECT_THROW(SweepSite(scratch.path(), "1f", {.name = "nowhere", .request = {}}), Failure);
  EXPECT_EQ(SweepSite(scratch.path(), "1f", {.name = "gates", .request = {}}).address("gates"),
            "/gates?token=1f");
}

class Serve : public WithPrograms {
 protected:
  static Words words(const FakeSweep& sweep, const Words& more) {
    Words all = {program_beside("lcsm").string(), "serve", "--workspace",
                 sweep.workspace().string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Serve, ShowsPointsThatHaveNotBegunUntilCtrlC) {
  const FakeSweep sweep("20, 21");
  std::filesystem::create_directories(sweep.workspace());
  Background serving(words(sweep, {sweep.file().string()}), sweep.folder() / "out");
  ASSERT_TRUE(comes_true([&] { return has(serving.output(), "\n"); })) << serving.output();
  const std::string address = serving.output(), start = "http://127.0.0.1:";
  ASSERT_TRUE(address.starts_with(start + "") && has(address, "/mine?token=")) << address;
  const int port = std::stoi(address.substr(start.size()));
  const std::string token = address.substr(address.find("?"), std::string("?token=").size() + 32);
  EXPECT_TRUE(has(asked(port, get("/mine" + token)), "<!DOCTYPE html>"));
  EXPECT_TRUE(has(asked(port, get("/data/mine.json" + token)), "\"states\":{\"new\":2}"));
  EXPECT_TRUE(has(asked(port, get("/mine")), "403 Forbidden"));
  kill(serving.id(), SIGINT);
  EXPECT_EQ(serving.wait(), 128 + SIGINT) << "as `lcsm log -f`";
}

TEST_F(Serve, RefusesPortsThatAreNone) {
  const FakeSweep sweep("20");
  std::filesystem::create_directories(sweep.workspace());
  const Ran ran = run_program(words(sweep, {"--port", "70000"}));
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, "--port")) << ran.err;
  EXPECT_EQ(run_program(words(sweep, {"nowhere"})).status, 2);
}

}  // namespace runner
