// The memory of a fake GPU: pieces of host memory, each with a copy in the judge's memory and its
// last uses by stream.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/ptx/memory.h"

namespace lcsm::test {

// The n-th work on a stream.
struct Moment {
  int stream = 0;
  std::uint64_t n = 0;
};
// Per stream, the last work that is known to be over.
using Seen = std::map<int, std::uint64_t>;

struct Piece {
  std::string name;
  char* base = nullptr;
  std::size_t bytes = 0;
  ptx::u64 region = 0;  // in the judge's memory, 0: no kernel has used it
  std::string writer;   // the kernel that wrote it last
  Moment written;
  std::map<int, std::pair<std::uint64_t, std::string>> reads;  // by stream: last read, kernel
};

class FakeMemory {
 public:
  // Fills the memory with poison, a NaN that marks it as unwritten.
  void own(void* base, std::size_t bytes, const std::string& name);
  // Reports results that a kernel wrote only in part.
  void disown(void* base);
  Piece* find(std::uint64_t address);
  void check_whole();  // like disown, for every piece

  // Replaces host addresses in a launch's arguments by the judge's. Returns the pieces that they
  // point into.
  std::vector<Piece*> translate(std::vector<ptx::u8>* arguments);
  void copy_in(Piece* piece);
  bool copy_out(Piece* piece);  // whether it has changed

  // Records a use by a stream that has waited for `seen`. Unordered uses are findings.
  void use(Piece* piece, const Moment& now, const Seen& seen, bool writes, const std::string& who);

  ptx::Memory& judged() { return judged_; }
  void finding(const std::string& text);
  const std::string& findings() const { return findings_; }

 private:
  bool is_unwritten(const Piece& piece, std::size_t at);
  void check_whole(const Piece& piece);

  ptx::Memory judged_;
  std::map<std::uint64_t, Piece> pieces_;  // by their last byte
  std::string findings_;
};

}  // namespace lcsm::test
