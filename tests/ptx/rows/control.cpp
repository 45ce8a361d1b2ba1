// Branches, ends, barriers and fences.
#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

void build_branch(Decoder& d) { d.i.flow = Flow::kBranch; }

void build_exit(Decoder& d) { d.i.flow = Flow::kExit; }

// A fence for the device orders the block's writes before its next atomic; a fence for the block
// orders nothing that a barrier does not.
void fence_step(const Instruction& i, Warp& w, u32) {
  if (i.releases) w.block->fenced = true;
}

void build_fence(Decoder& d) {
  d.i.releases = !d.among("gl sys gpu").empty();
  d.i.step = fence_step;
}

void warp_barrier_step(const Instruction& i, Warp& w, u32 mask) {
  groups_of(i, w, i.at[0], mask,
            [&](u32, u32 members) { w.block->shadow.clock.synchronize(w.index, members); });
}

// bar.sync a{, b}   bar.arrive a, b   bar.red.popc.u32 d, a{, b}, {!}c   bar.warp.sync mask
void build_barrier(Decoder& d) {
  if (d.has("warp")) {
    d.expect(1, 1);
    d.in(0, Type::kU32);
    d.i.step = warp_barrier_step;
    return;
  }
  d.i.flow = Flow::kBarrier;
  const bool reduces = d.has("red");
  std::size_t first = 0, last = d.arguments.size();
  if (reduces) {
    d.expect(3, 4);
    d.out(0, d.has("popc") ? Type::kU32 : Type::kPred);
    d.i.inverted = d.arguments.back().starts_with('!');
    d.in(d.arguments.back().substr(d.i.inverted ? 1 : 0), Type::kPred);
    d.i.choice = d.has("popc") ? 2 : d.has("and") ? 3 : 4;
    first = 1;
    --last;
  } else {
    d.expect(d.has("arrive") ? 2 : 1, 2);
    d.i.choice = d.has("arrive") ? 1 : 0;
  }
  for (std::size_t k = first; k < last; ++k) d.in(k, Type::kU32);
  if (last - first == 2) d.i.choice += 8;
}

}  // namespace

const Rows& control_rows() {
  static const Rows rows = {
      {"bra", "uni", build_branch},
      {"ret", "uni", build_exit},
      {"bar", "sync arrive red warp popc and or cta", build_barrier},
      {"barrier", "sync arrive red popc and or cta aligned", build_barrier},
      {"membar", "cta gl sys", build_fence},
      {"fence", "sc acq_rel acquire release cta gpu sys", build_fence},
  };
  return rows;
}

}  // namespace ptx
