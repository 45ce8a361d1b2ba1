#include "tests/ptx/shadow.h"

namespace ptx {

bool Shadow::ordered_write(const Cell& cell, const Asker& asker) const {
  if (cell.write_block != asker.block) return !foreign(cell.write_block, asker.block);
  return clock.sees(asker.warp, asker.lane, cell.writer / 32, cell.writer % 32, cell.write_stamp);
}

bool Shadow::ordered_reads(const Cell& cell, const Asker& asker) const {
  if (cell.read_block != asker.block) return !foreign(cell.read_block, asker.block);
  for (u32 k = cell.readers; k != 0; k = pool_[k].next) {
    const Reader& reader = pool_[k];
    if (!clock.sees_all(asker.warp, asker.lane, reader.warp, reader.lanes, reader.stamp))
      return false;
  }
  return true;
}

// Readers that are ordered before this one need no record any more.
void Shadow::note_read(Cell& cell, const Asker& asker) {
  if (cell.read_block != asker.block) cell.readers = 0;
  cell.read_block = asker.block;
  cell.read_at = asker.at;
  u32* link = &cell.readers;
  while (*link != 0) {
    Reader& reader = pool_[*link];
    if (reader.warp == asker.warp) {
      const bool earlier =
          clock.sees_all(asker.warp, asker.lane, reader.warp, reader.lanes, reader.stamp);
      reader.lanes = (earlier ? 0 : reader.lanes) | 1u << asker.lane;
      reader.stamp = clock.now();
      return;
    }
    if (clock.sees_all(asker.warp, asker.lane, reader.warp, reader.lanes, reader.stamp)) {
      reader = {clock.now(), 1u << asker.lane, reader.next, asker.warp};
      return;
    }
    link = &reader.next;
  }
  pool_.push_back({clock.now(), 1u << asker.lane, cell.readers, asker.warp});
  cell.readers = static_cast<u32>(pool_.size() - 1);
}

Conflict Shadow::access(Cell& cell, Access kind, const Asker& asker, bool own) {
  if (own && cell.write_block != asker.block) cell.write_block = 0;
  if (own && cell.read_block != asker.block) cell.read_block = 0;
  const bool read = kind == Access::kRead, ours = cell.write_block == asker.block;
  if (cell.in_flight && ours && kind != Access::kLand)
    return {read ? "read of data that cp.async still copies"
                 : "write to data that cp.async still copies",
            cell.write_at};
  Conflict found;
  const bool both_atomic = kind == Access::kAtomic && cell.atomic;
  if (kind != Access::kLand && cell.write_block != 0 && !both_atomic && !ordered_write(cell, asker))
    found = {read ? "read against an unordered write" : "write against an unordered write",
             cell.write_at};
  if (read) {
    note_read(cell, asker);
    return found;
  }
  if (found.what == nullptr && cell.read_block != 0 && kind != Access::kLand &&
      !ordered_reads(cell, asker))
    found = {"write against an unordered read", cell.read_at};
  cell.write_block = asker.block;
  cell.write_stamp = clock.now();
  cell.writer = static_cast<u16>(32 * asker.warp + asker.lane);
  cell.write_at = asker.at;
  cell.atomic = kind == Access::kAtomic;
  cell.in_flight = kind == Access::kIssue;
  cell.read_block = 0;
  cell.readers = 0;
  return found;
}

}  // namespace ptx
