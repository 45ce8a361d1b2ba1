// Schedules a block: which warp and which lanes run next.
#include <algorithm>
#include <cstring>

#include "tests/ptx/machine.h"

namespace ptx {

Block::Block(Run& whole) : launch(whole), kernel(whole.kernel) {
  const u64 threads = launch.block.total();
  warps.resize((threads + 31) / 32);
  const auto bytes = static_cast<std::size_t>(kernel.file_bytes + 63) / 64 * 64;
  files_.resize(bytes * warps.size() + 64);
  const auto skew = 64 - reinterpret_cast<std::uintptr_t>(files_.data()) % 64;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    warps[w].block = this;
    warps[w].index = static_cast<int>(w);
    warps[w].file = files_.data() + skew + bytes * w;
    fill_constants(warps[w]);
  }
  shared.resize(launch.shared_bytes);
  shared_written.resize(launch.shared_bytes);
  cells = Cells(launch.shared_bytes / kernel.piece + 1);
}

// Once for all blocks: no instruction writes there.
void Block::fill_constants(Warp& warp) {
  std::memset(warp.file, 0xcd, static_cast<std::size_t>(kernel.file_bytes));
  for (const Constant& constant : kernel.constants)
    for (int lane = 0; lane < 32; ++lane)
      std::memcpy(warp.file + constant.at + lane * constant.bytes, &constant.value,
                  static_cast<std::size_t>(constant.bytes));
}

void Block::start(u64 at) {
  static u32 serials = 0;
  index = at;
  serial = ++serials;
  fenced = false;
  if (launch.counts.blocks++ == 0) shadow.start_launch(serial);
  shadow.start_block();
  std::fill(shared.begin(), shared.end(), kPoison);
  std::fill(shared_written.begin(), shared_written.end(), u8{0});
  barriers = {};
  const u64 threads = launch.block.total();
  for (Warp& warp : warps)
    start_warp(warp, static_cast<unsigned>(
                         std::min<u64>(32, threads - 32 * static_cast<u64>(warp.index))));
}

void Block::start_warp(Warp& warp, unsigned threads) {
  warp.alive = threads == 32 ? kWholeWarp : (1u << threads) - 1;
  warp.waiting = false;
  warp.paths = {{warp.alive, 0, ~0u}};
  for (int lane = 0; lane < 32; ++lane) {
    warp.copies[lane].clear();
    warp.groups[lane].clear();
  }
  const auto local = static_cast<std::size_t>(kernel.local_bytes) * 32;
  warp.local.assign(local, kPoison);
  warp.local_written.assign(local, 0);
  fill_specials(warp);
}

namespace {

unsigned part(const Size& size, char axis) {
  return axis == 'x' ? size.x : axis == 'y' ? size.y : size.z;
}

Size place_in(const Size& size, u64 at) {
  return {static_cast<unsigned>(at % size.x), static_cast<unsigned>(at / size.x % size.y),
          static_cast<unsigned>(at / size.x / size.y)};
}

u32 special_value(const std::string& name, const Run& launch, u64 block, unsigned warp,
                  unsigned lane) {
  const u32 below = (1u << lane) - 1;
  const char axis = name.back();
  if (name.starts_with("%tid.")) return part(place_in(launch.block, 32 * warp + lane), axis);
  if (name.starts_with("%ntid.")) return part(launch.block, axis);
  if (name.starts_with("%ctaid.")) return part(place_in(launch.grid, block), axis);
  if (name.starts_with("%nctaid.")) return part(launch.grid, axis);
  if (name == "%laneid") return lane;
  if (name == "%warpid") return warp;
  if (name == "%nwarpid") return static_cast<u32>((launch.block.total() + 31) / 32);
  if (name == "%lanemask_eq") return 1u << lane;
  if (name == "%lanemask_lt") return below;
  if (name == "%lanemask_le") return below | 1u << lane;
  if (name == "%lanemask_gt") return ~(below | 1u << lane);
  if (name == "%lanemask_ge") return ~below;
  const u64 still = static_cast<u64>(launch.kernel.shared_bytes);
  return static_cast<u32>(launch.shared_bytes - (name == "%total_smem_size" ? 0 : still));
}

}  // namespace

// After the first block, only the block's place in the grid changes.
void Block::fill_specials(Warp& warp) {
  for (const Special& special : kernel.specials)
    if (launch.counts.blocks == 1 || special.name.starts_with("%ctaid"))
      for (unsigned lane = 0; lane < 32; ++lane)
        warp.at<u32>(special.at)[lane] =
            special_value(special.name, launch, index, static_cast<unsigned>(warp.index), lane);
}

void Block::run() {
  std::vector<Warp*> order;
  for (Warp& warp : warps) order.push_back(&warp);
  const bool mixed = launch.options.order != 0;
  for (;;) {
    if (mixed) std::shuffle(order.begin(), order.end(), launch.random);
    bool ran = false;
    for (Warp* warp : order) {
      if (warp->alive == 0 || warp->waiting) continue;
      ran = true;
      run_warp(*warp, mixed ? 1 + launch.random() % 100 : launch.options.limit);
      if (launch.counts.instructions > launch.options.limit) return;
    }
    if (!ran && !release_stuck()) return;
  }
}

void Block::run_warp(Warp& warp, u64 quantum) {
  for (u64 steps = 0; steps < quantum && warp.alive != 0 && !warp.waiting; ++steps) {
    while (warp.paths.back().lanes == 0 || warp.paths.back().at == warp.paths.back().end)
      warp.paths.pop_back();
    const Path& path = warp.paths.back();
    const Instruction& at = kernel.code[path.at];
    ++launch.lines[path.at].executed;
    if (++launch.counts.instructions > launch.options.limit)
      return finding(Fault::kStuck, at,
                     "more than " + std::to_string(launch.options.limit) +
                         " warp instructions: does a loop end? (Options::limit)");
    execute(at, warp, path.lanes);
  }
}

void Block::execute(const Instruction& at, Warp& warp, u32 mask) {
  u32 taken = mask;
  if (at.predicate >= 0) {
    const u8* predicate = warp.at<u8>(at.predicate);
    taken = 0;
    lanes(mask, [&](int lane) { taken |= u32{(predicate[lane] != 0) != at.negated} << lane; });
  }
  if (at.flow == Flow::kBranch) return branch(at, warp, mask, taken);
  // Advances first, then steps: a barrier may let other warps run before this one continues.
  ++warp.paths.back().at;
  if (taken == 0) return;
  if (at.flow == Flow::kExit)
    leave(at, warp, taken);
  else if (at.flow == Flow::kBarrier)
    barrier(at, warp, taken);
  else
    at.step(at, warp, taken);
}

// Diverged lanes meet again where all paths from the branch do.
void Block::branch(const Instruction& at, Warp& warp, u32 mask, u32 taken) {
  Path& path = warp.paths.back();
  const u32 next = path.at + 1, target = static_cast<u32>(at.target);
  if (taken == mask || taken == 0) {
    path.at = taken != 0 ? target : next;
    return;
  }
  path.at = at.meets;
  for (const Path way : {Path{mask & ~taken, next, at.meets}, Path{taken, target, at.meets}})
    if (way.at != way.end) warp.paths.push_back(way);
}

void Block::leave(const Instruction& at, Warp& warp, u32 taken) {
  lanes(taken, [&](int lane) {
    if (!warp.copies[lane].empty())
      finding(Fault::kInFlight, at, "a thread ends before its cp.async is waited for");
  });
  warp.alive &= ~taken;
  for (Path& path : warp.paths) path.lanes &= ~taken;
}

void Block::finding(Fault fault, const Instruction& at, const std::string& detail, int other) {
  launch.findings.add(fault, kernel, at, detail,
                      other < 0 ? nullptr : &kernel.code[static_cast<std::size_t>(other)]);
}

void Block::need(const Instruction& at, Warp& warp, u32 mask, u32 members) {
  if ((members & ~warp.alive) != 0)
    finding(Fault::kDivergence, at, "the member mask names lanes that have ended");
  else if ((members & ~mask) != 0)
    finding(Fault::kDivergence, at, "lanes of the member mask are elsewhere");
  if ((mask & ~members) != 0)
    finding(Fault::kDivergence, at, "a lane is not in the member mask that it passes");
}

}  // namespace ptx
