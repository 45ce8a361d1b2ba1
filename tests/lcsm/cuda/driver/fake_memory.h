// The memory of a GPU that is not there: pieces of the host's, each with its copy in the judge's
// memory, and who used it last on which stream.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/ptx/memory.h"

namespace lcsm::test {

// Work on a stream: the n-th there.
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
  std::map<int, std::pair<std::uint64_t, std::string>> reads;  // by stream: the last, and who
};

class FakeMemory {
 public:
  // Fills it with poison, a NaN: nobody has written it.
  void own(void* base, std::size_t bytes, const std::string& name);
  // Reports results that a kernel wrote only in part.
  void disown(void* base);
  Piece* find(std::uint64_t address);
  void check_whole();  // as disown does, of every piece

  // The arguments of a launch with the judge's addresses in place of the host's; the pieces that
  // they point into.
  std::vector<Piece*> translate(std::vector<ptx::u8>* arguments);
  void copy_in(Piece* piece);
  bool copy_out(Piece* piece);  // whether it has changed

  // A use at a moment by someone who knows what is over. Unordered ones are findings.
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
