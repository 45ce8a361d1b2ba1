// A sweep that `lcsm` runs with fake_train as its training program.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "tests/runner/run_program.h"

namespace runner {

class FakeSweep {
 public:
  // Runs that end in these ways (fake_train.cpp): "1, 20, 21". `more`: lines of its file.
  explicit FakeSweep(const std::string& ways, const std::string& more = "");
  static bool can_run();  // the programs were built

  std::filesystem::path file() const { return folder_.path() / "mine.toml"; }
  std::filesystem::path workspace() const { return folder_.path() / "workspace"; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  Words run_words(const Words& more = {}) const;  // `lcsm run` of this sweep
  Ran run(const Words& more = {}, const Words& environment = {}) const;
  Ran lcsm(Words words) const;  // another verb in this workspace

  std::string id(int way) const;  // of the run that ends this way
  std::filesystem::path folder_of(int way) const;
  std::string state(int way) const;  // as `lcsm plan` shows it

 private:
  ScratchFolder folder_;
};

// Tests that are skipped if the programs were not built.
class WithPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
  }
};

// The results that count: table, numbers of a figure, metrics.
std::string results_of(const FakeSweep& sweep);

// A program in the background, with its output in a file; killed at the end.
class Background {
 public:
  Background(const Words& command, const std::filesystem::path& output,
             const Words& environment = {});
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  pid_t id() const { return id_; }
  bool over();  // it has ended
  int wait();   // its status, as in Ran
  std::string output() const;

 private:
  pid_t id_ = -1;
  int status_ = -1;
  std::filesystem::path output_;
};

// The processes that `parent` started.
std::vector<pid_t> children_of(pid_t parent);

// The reason why this build skips random kills and disturbances; "" = it runs them.
std::string no_storm();

}  // namespace runner
