// Instructions of the lanes of a warp together: shuffles and votes.
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

enum Mode { kIndex, kButterfly, kUp, kDown };

// Operands: result, predicate, a, b, c, members. The upper half of c limits a shuffle to segments,
// its lower half says where lanes end.
void shuffle_step(const Instruction& i, Warp& w, u32 mask) {
  u32 source[32];
  std::memcpy(source, w.at<u32>(i.at[2]), sizeof source);
  const u32 *b = w.at<u32>(i.at[3]), *c = w.at<u32>(i.at[4]);
  u32 readable[32];
  groups_of(i, w, i.at[5], mask,
            [&](u32 group, u32 members) { lanes(group, [&](int l) { readable[l] = members; }); });
  lanes(mask, [&](int l) {
    const int segment = static_cast<int>(c[l] >> 8 & 31), clamp = static_cast<int>(c[l] & 31);
    const int by = static_cast<int>(b[l] & 31), low = l & segment;
    const int last = low | (clamp & ~segment);
    int from = i.choice == kIndex       ? low | (by & ~segment)
               : i.choice == kButterfly ? l ^ by
               : i.choice == kUp        ? l - by
                                        : l + by;
    const bool inside = i.choice == kUp ? from >= last : from <= last;
    if (!inside) from = l;
    if ((readable[l] >> from & 1) == 0)
      w.block->finding(Fault::kDivergence, i, "a lane reads one that is not in the member mask");
    w.at<u32>(i.at[0])[l] = source[from];
    w.at<u8>(i.at[1])[l] = inside;
  });
}

void build_shuffle(Decoder& d) {
  d.expect(5, 5);
  const auto results = split(d.arguments[0], '|');
  d.out(results[0], Type::kB32);
  d.out(results.size() > 1 ? results[1] : "_", Type::kPred);
  for (std::size_t k = 1; k < 5; ++k) d.in(k, Type::kB32);
  const std::string mode = d.among("idx bfly up down");
  d.i.choice = mode == "idx" ? kIndex : mode == "bfly" ? kButterfly : mode == "up" ? kUp : kDown;
  if (!mode.empty() && d.has("sync")) d.i.step = shuffle_step;
}

enum Vote { kAll, kAny, kUniform, kBallot };

void vote_step(const Instruction& i, Warp& w, u32 mask) {
  const u8* predicate = w.at<u8>(i.at[1]);
  groups_of(i, w, i.at[2], mask, [&](u32 group, u32) {
    u32 yes = 0;
    lanes(group, [&](int l) { yes |= u32{(predicate[l] != 0) != i.inverted} << l; });
    const bool is = i.choice == kAll   ? yes == group
                    : i.choice == kAny ? yes != 0
                                       : yes == group || yes == 0;
    lanes(group, [&](int l) {
      if (i.choice == kBallot)
        w.at<u32>(i.at[0])[l] = yes;
      else
        w.at<u8>(i.at[0])[l] = is;
    });
  });
}

void build_vote(Decoder& d) {
  d.expect(3, 3);
  const std::string mode = d.among("all any uni ballot");
  d.out(0, mode == "ballot" ? Type::kB32 : Type::kPred);
  d.i.inverted = d.arguments[1].starts_with('!');
  d.in(d.arguments[1].substr(d.i.inverted ? 1 : 0), Type::kPred);
  d.in(2, Type::kB32);
  d.i.choice = mode == "all" ? kAll : mode == "any" ? kAny : mode == "uni" ? kUniform : kBallot;
  if (!mode.empty() && d.has("sync")) d.i.step = vote_step;
}

}  // namespace

const Rows& warp_rows() {
  static const Rows rows = {
      {"shfl", "sync idx bfly up down", build_shuffle},
      {"vote", "sync all any uni ballot", build_vote},
  };
  return rows;
}

}  // namespace ptx
