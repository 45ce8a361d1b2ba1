#include "results/proofs/proof_files.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "results/proofs/workspace.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = ".lcsm-doctor.";

// The process number in ".lcsm-doctor.<pid>.<random>"; 0 for another name.
pid_t owner_of(const std::string& name) {
  return name.starts_with(kPrefix) ? std::atoi(name.c_str() + std::string(kPrefix).size()) : 0;
}

}  // namespace

void fail(const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

ProofFile::ProofFile(const fs::path& folder)
    : path_(folder / (kPrefix + std::to_string(getpid()) + ".XXXXXX")) {
  fd_ = mkstemp(path_.data());
  if (fd_ < 0) fail("a file cannot be created");
}

void ProofFile::close() {
  if (fd_ < 0) return;
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail("the file cannot be closed");
}

void ProofFile::unlink() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  if (!path_.empty()) ::unlink(path_.c_str());
  path_.clear();
}

int sweep_proofs(const fs::path& folder) {
  using namespace std::chrono_literals;
  int swept = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const pid_t owner = owner_of(it->path().filename());
    std::error_code gone;
    if (owner <= 0 || !it->is_regular_file(gone)) continue;
    // The minute protects files of other hosts that see this folder: their process numbers mean
    // nothing here.
    const auto age = fs::file_time_type::clock::now() - it->last_write_time(gone);
    const bool alive = kill(owner, 0) == 0 || errno != ESRCH;
    if (gone || alive || age < 1min) continue;
    if (fs::remove(it->path(), gone)) ++swept;
  }
  return swept;
}

}  // namespace results
