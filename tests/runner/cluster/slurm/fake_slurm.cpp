#include "tests/runner/cluster/slurm/fake_slurm.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace runner {
namespace {

// Numbers count from 101. `jobs` has a line for each: number, array, name, comment.
constexpr const char* kSbatch = R"sh(
number=$(($(wc -l < "$here/jobs") + 101))
for word; do
  case $word in
    --array=*) array=${word#--array=} ;;
    --job-name=*) name=${word#--job-name=} ;;
    --comment=*) comment=${word#--comment=} ;;
  esac
done
echo "${number}_[$array]|PENDING|Resources||N/A|(null)|(null)|$name|$comment" >> "$here/jobs"
. "$here/after_sbatch"
echo $number
)sh";

}  // namespace

FakeSlurm::FakeSlurm() : path_(std::getenv("PATH")) {
  std::filesystem::create_directory(folder() / "bin");
  setenv("PATH", ((folder() / "bin").string() + ":" + path_).c_str(), 1);
  after_sbatch("");
  forget_jobs();
  script("sbatch", kSbatch);
  script("squeue", "cat \"$here/jobs\"");
  script("scancel", ":");
  fail("sacct", "Slurm accounting storage is disabled");
  print("scontrol",
        "AccountingStorageType   = accounting_storage/none\n"
        "MaxArraySize            = 1001\nMaxJobCount             = 10000\n");
}

FakeSlurm::~FakeSlurm() { setenv("PATH", path_.c_str(), 1); }

void FakeSlurm::script(const std::string& program, const std::string& body) const {
  const std::filesystem::path file = folder() / "bin" / program;
  std::ofstream(file) << "#!/bin/sh\nhere='" << folder().string() << "'\necho \"" << program
                      << " $*\" >> \"$here/calls\"\n"
                      << body << "\n";
  chmod(file.c_str(), 0755);
}

void FakeSlurm::print(const std::string& program, const std::string& text) const {
  std::ofstream(folder() / (program + ".out")) << text;
  script(program, "cat \"$here/" + program + ".out\"");
}

void FakeSlurm::fail(const std::string& program, const std::string& message) const {
  std::ofstream(folder() / (program + ".err")) << message << "\n";
  script(program, "cat \"$here/" + program + ".err\" >&2\nexit 1");
}

void FakeSlurm::after_sbatch(const std::string& body) const {
  std::ofstream(folder() / "after_sbatch") << body << "\n";
}

void FakeSlurm::forget_jobs() const { std::ofstream(folder() / "jobs"); }

std::string FakeSlurm::calls() const { return read_file(folder() / "calls"); }

std::size_t FakeSlurm::calls_of(const std::string& program) const {
  std::istringstream lines(calls());
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with(program + " ");
  return count;
}

Words FakeSlurm::environment() const { return {std::string("PATH=") + std::getenv("PATH")}; }

}  // namespace runner
