// Checks every memory access: bounds, alignment, unwritten memory, races.
#include <algorithm>
#include <cstring>

#include "tests/ptx/machine.h"

namespace ptx {
namespace {

std::string within(u64 offset, int bytes, u64 size) {
  return std::to_string(bytes) + " bytes at " + std::to_string(static_cast<i64>(offset)) + " of " +
         std::to_string(size);
}

}  // namespace

u8* Block::resolve(u64 address, int bytes, Access kind, Warp& warp, int lane,
                   const Instruction& at) {
  if ((address & static_cast<u64>(bytes - 1)) != 0) {
    finding(Fault::kMisaligned, at, "an address that is no multiple of " + std::to_string(bytes));
    return nullptr;
  }
  if (address >= kLocalWindow) return in_local(address - kLocalWindow, bytes, kind, warp, lane, at);
  if (address >= kSharedWindow)
    return in_shared(address - kSharedWindow, bytes, kind, warp, lane, at);
  return in_global(address, bytes, kind, warp, lane, at);
}

void Block::access(Cells& of, u64 offset, int bytes, Access kind, Warp& warp, int lane,
                   const Instruction& at) {
  const Asker asker = {serial, warp.index, lane, static_cast<int>(&at - kernel.code.data())};
  Conflict found;
  for (u64 k = offset / kernel.piece; k * kernel.piece < offset + static_cast<u64>(bytes); ++k)
    if (const Conflict each = shadow.access(of[k], kind, asker, &of == &cells);
        each.what != nullptr)
      found = each;
  if (found.what == nullptr) return;
  const bool flight = std::strstr(found.what, "cp.async") != nullptr;
  finding(flight ? Fault::kInFlight : Fault::kRace, at, found.what, found.other);
}

// Finds reads of unwritten memory; writes are recorded as such.
u8* Block::touched(u8* data, u8* written, int bytes, Access kind, std::string_view name,
                   const Instruction& at) {
  if (kind == Access::kIssue) return data;
  if (kind == Access::kWrite || kind == Access::kLand) {
    std::memset(written, 1, static_cast<std::size_t>(bytes));
    return data;
  }
  for (int k = 0; k < bytes; ++k)
    if (written[k] == 0) {
      finding(Fault::kUnwritten, at, "a read of " + std::string(name) + " that nobody has written");
      break;
    }
  if (kind == Access::kAtomic) std::memset(written, 1, static_cast<std::size_t>(bytes));
  return data;
}

u8* Block::in_shared(u64 offset, int bytes, Access kind, Warp& warp, int lane,
                     const Instruction& at) {
  if (offset + static_cast<u64>(bytes) > shared.size()) {
    finding(Fault::kOutOfBounds, at, within(offset, bytes, shared.size()) + " of shared memory");
    return nullptr;
  }
  if (launch.options.check_races) access(cells, offset, bytes, kind, warp, lane, at);
  return touched(shared.data() + offset, shared_written.data() + offset, bytes, kind,
                 "shared memory", at);
}

u8* Block::in_local(u64 offset, int bytes, Access kind, Warp& warp, int lane,
                    const Instruction& at) {
  const u64 size = static_cast<u64>(kernel.local_bytes);
  if (offset + static_cast<u64>(bytes) > size) {
    finding(Fault::kOutOfBounds, at, within(offset, bytes, size) + " of local memory");
    return nullptr;
  }
  const u64 place = static_cast<u64>(lane) * size + offset;
  return touched(warp.local.data() + place, warp.local_written.data() + place, bytes, kind,
                 "local memory", at);
}

u8* Block::in_global(u64 address, int bytes, Access kind, Warp& warp, int lane,
                     const Instruction& at) {
  Region* region = launch.memory.find(address);
  const u64 offset = address & ((1ull << kRegionShift) - 1);
  // The last addresses of the previous allocation lie just below an allocation.
  const bool below = offset >> (kRegionShift - 1) != 0;
  if (below) region = launch.memory.find(address + (1ull << (kRegionShift - 1)));
  if (region == nullptr || region->freed) {
    finding(Fault::kOutOfBounds, at,
            region == nullptr ? "an address of no allocation" : region->name + " was freed");
    return nullptr;
  }
  const u64 size = region->data.size();
  if (below || offset + static_cast<u64>(bytes) > size) {
    finding(Fault::kOutOfBounds, at,
            within(below ? offset - (1ull << kRegionShift) : offset, bytes, size) + " of " +
                region->name);
    return nullptr;
  }
  if (!region->writable && kind != Access::kRead) {
    finding(Fault::kReadOnly, at, "a write to " + region->name);
    return nullptr;
  }
  if (region->writable && launch.options.check_races) {
    if (region->cells.size() == 0) region->cells = Cells(size + 1);
    access(region->cells, offset, bytes, kind, warp, lane, at);
    Cell& cell = region->cells[offset / kernel.piece];
    if (at.read_only && cell.write_block >= shadow.first())
      finding(Fault::kReadOnly, at,
              "ld.global.nc of " + region->name + ", which this launch writes", cell.write_at);
  }
  return touched(region->data.data() + offset, region->written.data() + offset, bytes, kind,
                 region->name, at);
}

// A block that executes a fence before its atomic orders its earlier work before the work of blocks
// that read the atomic later. Sums over blocks that the last block finishes rely on it.
void Block::atomic_order(u64 address, const Instruction& at) {
  if (address >= kSharedWindow) return;
  std::set<u32>& blocks = launch.released[address];
  for (const u32 block : blocks) shadow.acquire(block);
  if (fenced || at.releases) blocks.insert(serial);
}

}  // namespace ptx
