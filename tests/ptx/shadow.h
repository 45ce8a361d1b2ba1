// Shadow memory: the last accesses to each piece of memory, and whether the next access is ordered
// after them.
#pragma once

#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "tests/ptx/clock.h"

namespace ptx {

enum class Access : u8 { kRead, kWrite, kAtomic, kIssue, kLand };  // the last two of cp.async

// The last accesses to a piece of memory. Nothing is cleared between blocks and launches: the
// serial numbers of blocks show what is stale. All zeros: no access yet.
struct Cell {
  u32 write_block, write_stamp, read_block, readers;  // readers: into Shadow's pool
  i32 write_at, read_at;                              // instructions
  u16 writer;
  bool atomic, in_flight;
};

// Zeroed by the system page by page on first use, so large buffers cost only the pages touched.
class Cells {
 public:
  Cells() = default;
  explicit Cells(std::size_t count)
      : cells_(static_cast<Cell*>(std::calloc(count, sizeof(Cell)))), count_(count) {}
  Cell& operator[](std::size_t k) { return cells_.get()[k]; }
  std::size_t size() const { return count_; }

 private:
  struct Free {
    void operator()(Cell* cells) const { std::free(cells); }
  };
  std::unique_ptr<Cell[], Free> cells_;
  std::size_t count_ = 0;
};

struct Conflict {
  const char* what = nullptr;  // null: no conflict
  int other = -1;              // the instruction of the other access
};

// The origin of an access: a lane at an instruction of a block.
struct Asker {
  u32 block;
  int warp, lane, at;
};

class Shadow {
 public:
  // Blocks before `first` belong to earlier launches, which are ordered before this one.
  void start_launch(u32 first) { first_ = first; }
  void start_block() {
    clock.reset();
    pool_.assign(1, {});
    acquired_.clear();
  }
  u32 first() const { return first_; }
  // Records that an atomic ordered another block's released accesses before this block's.
  void acquire(u32 block) { acquired_.insert(block); }

  // `own`: memory that blocks do not share, so other blocks' records are stale.
  Conflict access(Cell& cell, Access kind, const Asker& asker, bool own);

  Clock clock;

 private:
  struct Reader {
    u32 stamp, lanes, next;
    int warp;
  };
  bool ordered_write(const Cell& cell, const Asker& asker) const;
  bool ordered_reads(const Cell& cell, const Asker& asker) const;
  bool foreign(u32 block, u32 own) const {
    return block != own && block >= first_ && !acquired_.contains(block);
  }
  void note_read(Cell& cell, const Asker& asker);

  u32 first_ = 1;
  std::set<u32> acquired_;
  std::vector<Reader> pool_;
};

}  // namespace ptx
