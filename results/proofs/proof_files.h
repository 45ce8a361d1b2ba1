// Names and lifetimes of the files that the proofs of workspace.h write.
#pragma once

#include <filesystem>
#include <string>

namespace results {

// Creates "<folder>/.lcsm-doctor.<pid>.<random>" and removes it at the end of the block, or before
// by unlink(). Throws std::system_error with what could not be done.
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
