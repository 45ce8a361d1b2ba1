// bar.sync, bar.arrive and bar.red: which warps wait, and which accesses are ordered afterwards.
#include <algorithm>

#include "tests/ptx/machine.h"

namespace ptx {
namespace {

enum Kind { kSync, kArrive, kPopulation, kAnd, kOr };  // Instruction::choice % 8

// Operands: result and predicate of bar.red, then the number and the count of threads, if given.
constexpr int kCounted = 8;

u32 operand(Warp& warp, const Instruction& at, int k, u32 mask) {
  return warp.at<u32>(at.at[k])[std::countr_zero(mask)];
}

u32 predicates(Warp& warp, const Instruction& at, u32 mask) {
  const u8* predicate = warp.at<u8>(at.at[1]);
  u32 count = 0;
  lanes(mask, [&](int lane) { count += (predicate[lane] != 0) != at.inverted; });
  return count;
}

void give_result(const Instruction& at, Warp& warp, u32 mask, u32 count, u32 threads) {
  const int kind = at.choice % 8;
  lanes(mask, [&](int lane) {
    if (kind == kPopulation)
      warp.at<u32>(at.at[0])[lane] = count;
    else
      warp.at<u8>(at.at[0])[lane] = kind == kAnd ? count == threads : count != 0;
  });
}

}  // namespace

void Block::barrier(const Instruction& at, Warp& warp, u32 mask) {
  const int kind = at.choice % 8, first = kind >= kPopulation ? 2 : 0;
  const u32 number = operand(warp, at, first, mask);
  if (mask != warp.alive)
    finding(Fault::kDivergence, at, "a barrier that part of a warp does not reach");
  if (number >= barriers.size())
    return finding(Fault::kOutOfBounds, at, "barrier " + std::to_string(number) + " of 16");
  Barrier& here = barriers[number];
  const bool counted = at.choice >= kCounted;
  const u32 expected =
      counted ? operand(warp, at, first + 1, mask) : static_cast<u32>(32 * warps.size());
  if (here.members.empty()) here.expected = expected;
  if (here.expected != expected)
    finding(Fault::kDivergence, at,
            "barrier " + std::to_string(number) + " for " + std::to_string(expected) +
                " threads, others came for " + std::to_string(here.expected));
  if (!counted && !here.members.empty() && here.members[0].at != &at)
    finding(Fault::kDivergence, at, "another part of the block waits in the same barrier elsewhere",
            static_cast<int>(here.members[0].at - kernel.code.data()));
  if (kind >= kPopulation) {
    here.count += predicates(warp, at, mask);
    here.threads += static_cast<u32>(std::popcount(mask));
  }
  arrive(here, at, warp, mask, kind != kArrive);
}

void Block::arrive(Barrier& here, const Instruction& at, Warp& warp, u32 mask, bool waits) {
  const Clock::Known known = shadow.clock.arrive(warp.index);
  for (std::size_t k = 0; k < known.size(); ++k) here.known[k] = std::max(here.known[k], known[k]);
  here.members.push_back({&warp, waits, &at, mask});
  here.arrived += 32;
  warp.waiting = waits;
  if (here.arrived >= here.expected) complete(here);
}

void Block::complete(Barrier& here) {
  for (const Barrier::Member& member : here.members) {
    if (!member.waits) continue;
    member.warp->waiting = false;
    shadow.clock.join(member.warp->index, here.known);
    if (member.at->choice % 8 >= kPopulation)
      give_result(*member.at, *member.warp, member.lanes, here.count, here.threads);
  }
  here = {};
}

// No warp can continue: completes the barrier that most warps wait for, without the warps that will
// never arrive.
bool Block::release_stuck() {
  Barrier* most = nullptr;
  for (Barrier& each : barriers)
    for (const Barrier::Member& member : each.members)
      if (member.waits && (most == nullptr || each.arrived > most->arrived)) most = &each;
  if (most == nullptr) return false;
  const bool ended =
      std::any_of(warps.begin(), warps.end(), [](const Warp& warp) { return warp.alive == 0; });
  finding(Fault::kDivergence, *most->members[0].at,
          "a barrier of " + std::to_string(most->expected) + " threads that " +
              std::to_string(most->arrived) + " reach" + (ended ? "; others have ended" : ""));
  complete(*most);
  return true;
}

}  // namespace ptx
