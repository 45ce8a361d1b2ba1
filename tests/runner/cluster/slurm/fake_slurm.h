// Fake Slurm programs, as scripts: they print recorded output of real ones, and sbatch keeps a list
// of jobs that squeue shows.
#pragma once

#include <filesystem>
#include <string>

#include "tests/runner/run_program.h"

namespace runner {

class FakeSlurm {
 public:
  FakeSlurm();  // its programs come first in PATH, also of this process
  ~FakeSlurm();
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;

  // Replaces the program's script by this shell code, with the arguments in "$@".
  void script(const std::string& program, const std::string& body) const;
  void print(const std::string& program, const std::string& text) const;
  void fail(const std::string& program, const std::string& message) const;
  // Appends shell code that sbatch runs after it has accepted a job.
  void after_sbatch(const std::string& body) const;
  // Removes all jobs from the queue.
  void forget_jobs() const;

  std::string calls() const;  // one line each: the program and its arguments
  std::size_t calls_of(const std::string& program) const;
  Words environment() const;  // for programs that a test starts
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  std::string path_;
};

}  // namespace runner
