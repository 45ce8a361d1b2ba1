// Counts the wavefronts and sectors of a warp's requests.
#include <algorithm>

#include "tests/ptx/machine.h"

namespace ptx {
namespace {

constexpr u64 kSector = 32;  // bytes

// Lanes are served in phases of 128 bytes; within a phase, a bank gives one of its words at a time.
Traffic shared_traffic(const u64* addresses, u32 mask, int bytes, bool atomic, int phase) {
  Traffic found{1, 0, 0, 0};
  for (int first = 0; first < 32; first += phase) {
    u64 words[128];
    int count = 0;
    for (int lane = first; lane < first + phase; ++lane)
      if ((mask >> lane & 1) != 0)
        for (int k = 0; k < bytes; k += 4)
          words[count++] = (addresses[lane] + static_cast<u64>(k)) / 4;
    if (count == 0) continue;
    std::sort(words, words + count);
    if (!atomic) count = static_cast<int>(std::unique(words, words + count) - words);
    int banks[32] = {}, most = 0;
    for (int k = 0; k < count; ++k) most = std::max(most, ++banks[words[k] % 32]);
    found.used += static_cast<u64>(most);
    found.ideal += static_cast<u64>(count + 31) / 32;
  }
  found.bytes = static_cast<u64>(std::popcount(mask)) * static_cast<u64>(bytes);
  return found;
}

Traffic global_traffic(const u64* addresses, u32 mask, int bytes, std::unordered_set<u64>* seen) {
  u64 sectors[64];
  int count = 0;
  lanes(mask, [&](int lane) {
    const u64 last = addresses[lane] + static_cast<u64>(bytes) - 1;
    sectors[count++] = addresses[lane] / kSector;
    if (last / kSector != addresses[lane] / kSector) sectors[count++] = last / kSector;
  });
  std::sort(sectors, sectors + count);
  count = static_cast<int>(std::unique(sectors, sectors + count) - sectors);
  seen->insert(sectors, sectors + count);
  const u64 useful = static_cast<u64>(std::popcount(mask)) * static_cast<u64>(bytes);
  const u64 used = static_cast<u64>(count);
  return {1, used, std::min(used, (useful + kSector - 1) / kSector), useful};
}

}  // namespace

void Block::traffic(const u64* addresses, u32 mask, int bytes, bool writes, const Instruction& at,
                    int phase) {
  if (mask == 0) return;
  const u64 first = addresses[std::countr_zero(mask)];
  if (first >= kLocalWindow) return;
  LineCounts& line = launch.lines[static_cast<std::size_t>(&at - kernel.code.data())];
  if (first >= kSharedWindow) {
    const bool atomic = phase < 0;
    if (phase <= 0) phase = bytes <= 4 ? 32 : 128 / bytes;
    const Traffic found = shared_traffic(addresses, mask, bytes, atomic, phase);
    launch.counts.shared.add(found);
    line.shared.add(found);
    return;
  }
  const Traffic found =
      global_traffic(addresses, mask, bytes, writes ? &launch.written : &launch.read);
  (writes ? launch.counts.global_write : launch.counts.global_read).add(found);
  line.global.add(found);
}

}  // namespace ptx
