// Immediate post-dominators of branches, by the algorithm of Cooper, Harvey and Kennedy.
#include <algorithm>
#include <vector>

#include "tests/ptx/program.h"

namespace ptx {
namespace {

// Instructions without a branch or an end between them, and the end of the kernel as the last.
struct Pieces {
  std::vector<u32> begin;            // of each, in order; then the number of instructions
  std::vector<std::vector<u32>> to;  // what may follow each
};

Pieces pieces_of(const std::vector<Instruction>& code) {
  std::vector<bool> begins(code.size() + 1);
  begins[0] = begins[code.size()] = true;
  for (std::size_t n = 0; n < code.size(); ++n) {
    if (code[n].flow != Flow::kBranch && code[n].flow != Flow::kExit) continue;
    begins[n + 1] = true;
    if (code[n].flow == Flow::kBranch) begins[static_cast<std::size_t>(code[n].target)] = true;
  }
  Pieces pieces;
  std::vector<u32> piece_at(code.size() + 1);
  for (std::size_t n = 0; n <= code.size(); ++n) {
    if (begins[n]) pieces.begin.push_back(static_cast<u32>(n));
    piece_at[n] = static_cast<u32>(pieces.begin.size()) - 1;
  }
  const u32 end = piece_at[code.size()];
  pieces.to.resize(end + 1);
  for (u32 n = 0; n < end; ++n) {
    const Instruction& last = code[pieces.begin[n + 1] - 1];
    const bool leaves = last.flow == Flow::kBranch || last.flow == Flow::kExit;
    if (!leaves || last.predicate >= 0) pieces.to[n].push_back(n + 1);
    if (last.flow == Flow::kBranch)
      pieces.to[n].push_back(piece_at[static_cast<std::size_t>(last.target)]);
    if (last.flow == Flow::kExit) pieces.to[n].push_back(end);
  }
  return pieces;
}

// All pieces from which the end is reachable, each after the pieces through which it reaches the
// end.
std::vector<u32> order_from_end(const Pieces& pieces) {
  const std::size_t count = pieces.to.size();
  std::vector<std::vector<u32>> from(count);
  for (u32 n = 0; n < count; ++n)
    for (const u32 to : pieces.to[n]) from[to].push_back(n);
  std::vector<u32> order;
  std::vector<bool> seen(count);
  std::vector<std::pair<u32, std::size_t>> path{{static_cast<u32>(count - 1), 0}};
  seen[count - 1] = true;
  while (!path.empty()) {
    auto& [piece, next] = path.back();
    if (next == from[piece].size()) {
      order.push_back(piece);
      path.pop_back();
    } else if (const u32 before = from[piece][next++]; !seen[before]) {
      seen[before] = true;
      path.emplace_back(before, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

void find_meetings(Kernel& kernel) {
  const Pieces pieces = pieces_of(kernel.code);
  const std::vector<u32> order = order_from_end(pieces);
  const u32 end = static_cast<u32>(pieces.to.size()) - 1, none = end + 1;
  std::vector<u32> rank(end + 1, none), meets(end + 1, none);
  for (u32 n = 0; n < order.size(); ++n) rank[order[n]] = n;
  meets[end] = end;
  const auto common = [&](u32 a, u32 b) {
    while (a != b) (rank[a] > rank[b] ? a : b) = meets[rank[a] > rank[b] ? a : b];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 piece : order) {
      if (piece == end) continue;
      u32 found = none;
      for (const u32 to : pieces.to[piece])
        if (meets[to] != none) found = found == none ? to : common(found, to);
      changed = changed || found != meets[piece];
      meets[piece] = found;
    }
  }
  for (u32 n = 0; n < end; ++n)
    if (Instruction& last = kernel.code[pieces.begin[n + 1] - 1]; last.flow == Flow::kBranch)
      last.meets = pieces.begin[std::min(meets[n], end)];
}

}  // namespace ptx
