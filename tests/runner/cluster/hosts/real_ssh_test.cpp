// `lcsm run --on hosts` through a private sshd on this host, with its own keys.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <system_error>

#include "tests/results/kill_at_write.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRealSshWays = "20, 21, 22, 23";

class RealSsh : public testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
    if (results::kStride > 1) GTEST_SKIP() << "sanitized programs are too large to copy around";
    for (const char* program :
         {"/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/ssh-keygen", "/usr/bin/rsync"})
      if (access(program, X_OK) != 0) GTEST_SKIP() << "no " << program << " on this host";
    configure();
    std::error_code not_root;
    fs::create_directory("/run/sshd", not_root);  // as its service does
    sshd_ = std::make_unique<Background>(
        Words{"/usr/sbin/sshd", "-D", "-e", "-f", (folder() / "sshd_config").string()},
        folder() / "sshd.log", Words{"PATH=/usr/bin:/bin"});
    comes_true([this] {
      return sshd_->over() || run_program({"ssh", "here", "true"}, environment()).status == 0;
    });
    if (run_program({"ssh", "here", "true"}, environment()).status != 0)
      GTEST_SKIP() << "sshd lets nobody in: " << sshd_->output();
  }

  const fs::path& folder() const { return folder_.path(); }

  void configure() const {
    const std::string port = std::to_string(30000 + getpid() % 2000);
    for (const char* key : {"host_key", "user_key"})
      run_program({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", (folder() / key).string()});
    std::ofstream(folder() / "sshd_config")
        << "Port " << port << "\nListenAddress 127.0.0.1\nHostKey " << folder().string()
        << "/host_key\nAuthorizedKeysFile " << folder().string()
        << "/user_key.pub\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPidFile none\n"
           "PasswordAuthentication no\n";
    std::ofstream(folder() / "ssh_config")
        << "Host here\nHostName 127.0.0.1\nPort " << port << "\nIdentityFile " << folder().string()
        << "/user_key\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n";
    fs::create_directory(folder() / "bin");
    std::ofstream(folder() / "bin/ssh")
        << "#!/bin/sh\nexec /usr/bin/ssh -F " << folder().string() << "/ssh_config \"$@\"\n";
    fs::permissions(folder() / "bin/ssh", fs::perms::owner_all);
  }

  Words environment() const { return {"PATH=" + (folder() / "bin").string() + ":/usr/bin:/bin"}; }

  ScratchFolder folder_;
  std::unique_ptr<Background> sshd_;
};

TEST_F(RealSsh, HostsThatShareAndOneThatDoesNotEndInTheSameTable) {
  const FakeSweep calm(kRealSshWays), sweep(kRealSshWays);
  ASSERT_EQ(calm.run().status, 0);
  std::ofstream(sweep.folder() / "hosts.toml")
      << "[abacus]\nssh = \"here\"\njobs = 1\n[basil]\nssh = \"here\"\njobs = 1\nworkspace = \""
      << sweep.folder().string() << "/own\"\n";
  const Ran ran = sweep.run({"--on", "hosts", "--wait"}, environment());
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("2 runs to basil, with a workspace of its own"), std::string::npos)
      << ran.out << ran.err;
  EXPECT_EQ(results_of(sweep), results_of(calm));
}

}  // namespace
}  // namespace runner
