// Fake ssh and rsync, as scripts: every host is this one, and runs the given commands.
#pragma once

#include <filesystem>
#include <string>

#include "tests/runner/run_program.h"

namespace runner {

class FakeHosts {
 public:
  FakeHosts();
  FakeHosts(const FakeHosts&) = delete;
  FakeHosts& operator=(const FakeHosts&) = delete;

  // Shell code that ssh runs first, with the host in $host and the number of the call in $call.
  void before_ssh(const std::string& body) const;

  void use_real_rsync() const;  // the host's rsync, which calls the fake ssh

  std::size_t calls_of(const std::string& part) const;  // calls whose words contain the text
  Words environment(Words more = {}) const;             // for programs that a test starts
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void script(const std::string& program, const std::string& body) const;

  ScratchFolder folder_;
};

}  // namespace runner
