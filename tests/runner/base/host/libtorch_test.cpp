#include "runner/base/host/libtorch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class Package : public testing::Test {
 protected:
  Package() { unsetenv("LD_LIBRARY_PATH"); }
  ~Package() override { unsetenv("LD_LIBRARY_PATH"); }
  void script(const std::string& body) const {
    const fs::path path = trainer.string() + ".libtorch";
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
  }
  const ScratchFolder folder;
  const fs::path trainer = folder.path() / "it's lcsm-train";
};

TEST_F(Package, SetsTheFoldersThatItsScriptPrints) {
  script("echo /torch/lib:/cuda$1");
  find_libtorch(trainer);
  EXPECT_EQ(environment_variable("LD_LIBRARY_PATH"), "/torch/lib:/cuda");
  EXPECT_EQ(look_for_libtorch(trainer), "");
  EXPECT_EQ(environment_variable("LD_LIBRARY_PATH"), "/torch/lib:/cuda--offline");
}

TEST_F(Package, SaysWhyThereIsNoLibTorch) {
  script("echo python3 has none. >&2; echo None yet. >&2; exit ${1:+92}");
  EXPECT_EQ(look_for_libtorch(trainer), "python3 has none. None yet.");
  EXPECT_EQ(environment_variable("LD_LIBRARY_PATH"), "");
}

TEST_F(Package, EndsTheVerbIfNothingCanBeFetched) {
  const auto code_of = [this](const std::string& body) {
    script(body);
    try {
      find_libtorch(trainer);
    } catch (const Failure& failure) {
      EXPECT_STREQ(failure.what(), "");
      return failure.code();
    }
    return ExitCode::kDone;
  };
  EXPECT_EQ(code_of("exit 93"), ExitCode::kMissing);
  EXPECT_EQ(code_of("exit 130"), ExitCode::kInterrupted);
  EXPECT_EQ(code_of("kill -9 $$"), ExitCode::kMissing);
}

TEST_F(Package, ABuildHasNoScript) {
  find_libtorch(trainer);
  EXPECT_EQ(look_for_libtorch(trainer), "");
  EXPECT_EQ(environment_variable("LD_LIBRARY_PATH"), "");
}

}  // namespace
}  // namespace runner
