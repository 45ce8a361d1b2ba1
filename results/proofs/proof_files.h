// The temporary files of the checks in workspace.h: their names and lifetimes.
#pragma once

#include <filesystem>
#include <string>

namespace results {

// Creates "<folder>/.lcsm-doctor.<pid>.<random>"; the destructor, or unlink() before it, removes
// it. Throws std::system_error saying what failed.
class ProofFile {
 public:
  explicit ProofFile(const std::filesystem::path& folder);
  ~ProofFile() { unlink(); }
  ProofFile(const ProofFile&) = delete;
  ProofFile& operator=(const ProofFile&) = delete;

  const std::string& path() const { return path_; }
  int fd() const { return fd_; }
  void close();
  void unlink();
  void renamed_to(const std::string& path) { path_ = path; }

 private:
  std::string path_;
  int fd_ = -1;
};

[[noreturn]] void fail(const std::string& doing);  // std::system_error from errno

}  // namespace results
