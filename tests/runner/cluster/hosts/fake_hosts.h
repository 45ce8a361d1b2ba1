// ssh and rsync as scripts: every host is this one, and runs what it is asked to.
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

  // A body of sh that ssh runs first, with the host in $host and the number of the call in $call.
  void before_ssh(const std::string& body) const;

  void use_real_rsync() const;  // the host's, which calls the ssh above

  std::size_t calls_of(const std::string& part) const;  // with that text in their words
  Words environment(Words more = {}) const;             // for programs that a test starts
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  void script(const std::string& program, const std::string& body) const;

  ScratchFolder folder_;
};

}  // namespace runner
