// Instructions of the lanes of a warp together: shuffles, votes, matches, reductions.
#include <algorithm>
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

void results(Decoder& d, Type first) {
  const auto names = split(d.arguments.at(0), '|');
  d.out(names[0], first);
  d.out(names.size() > 1 ? names[1] : "_", Type::kPred);
}

void build_shuffle(Decoder& d) {
  d.expect(5, 5);
  results(d, Type::kB32);
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

// match.any: the lanes with the same value. match.all: every lane if all have the same.
template <class T>
void match_step(const Instruction& i, Warp& w, u32 mask) {
  const T* a = w.at<T>(i.at[2]);
  groups_of(i, w, i.at[3], mask, [&](u32 group, u32) {
    u32 same[32] = {};
    lanes(group, [&](int l) {
      lanes(group, [&](int other) { same[l] |= u32{a[other] == a[l]} << other; });
    });
    lanes(group, [&](int l) {
      const bool all = same[l] == group;
      w.at<u32>(i.at[0])[l] = i.choice == kAny || all ? same[l] : 0;
      w.at<u8>(i.at[1])[l] = all;
    });
  });
}

void build_match(Decoder& d) {
  d.expect(3, 3);
  results(d, Type::kB32);
  d.in(1, d.type());
  d.in(2, Type::kB32);
  d.i.choice = d.has("any") ? kAny : kAll;
  if (d.has("sync")) d.i.step = bytes_of(d.type()) == 8 ? match_step<u64> : match_step<u32>;
}

template <class T>
T reduced(int choice, T a, T b) {
  switch (choice) {
    case 0:
      return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b));
    case 1:
      return std::min(a, b);
    case 2:
      return std::max(a, b);
    case 3:
      return a & b;
    case 4:
      return a | b;
    default:
      return a ^ b;
  }
}

template <class T>
void reduce_step(const Instruction& i, Warp& w, u32 mask) {
  const T* a = w.at<T>(i.at[1]);
  groups_of(i, w, i.at[2], mask, [&](u32 group, u32) {
    T sum = a[std::countr_zero(group)];
    lanes(group & (group - 1), [&](int l) { sum = reduced(i.choice, sum, a[l]); });
    lanes(group, [&](int l) { w.at<T>(i.at[0])[l] = sum; });
  });
}

void build_reduce(Decoder& d) {
  d.expect(3, 3);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, Type::kB32);
  const char* names[] = {"add", "min", "max", "and", "or", "xor"};
  for (int k = 0; k < 6; ++k)
    if (d.has(names[k])) d.i.choice = k;
  if (bytes_of(d.type()) == 4) d.i.step = is_signed(d.type()) ? reduce_step<i32> : reduce_step<u32>;
}

void active_step(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) { w.at<u32>(i.at[0])[l] = mask; });
}

void build_active(Decoder& d) {
  d.expect(1, 1);
  d.out(0, Type::kB32);
  d.i.step = active_step;
}

void elect_step(const Instruction& i, Warp& w, u32 mask) {
  groups_of(i, w, i.at[2], mask, [&](u32 group, u32) {
    const int leader = std::countr_zero(group);
    lanes(group, [&](int l) {
      w.at<u32>(i.at[0])[l] = static_cast<u32>(leader);
      w.at<u8>(i.at[1])[l] = l == leader;
    });
  });
}

void build_elect(Decoder& d) {
  d.expect(2, 2);
  results(d, Type::kB32);
  d.in(1, Type::kB32);
  d.i.step = elect_step;
}

}  // namespace

const Rows& warp_rows() {
  static const Rows rows = {
      {"shfl", "sync idx bfly up down", build_shuffle},
      {"vote", "sync all any uni ballot", build_vote},
      {"match", "sync any all", build_match},
      {"redux", "sync add min max and or xor", build_reduce},
      {"activemask", "", build_active},
      {"elect", "sync", build_elect},
  };
  return rows;
}

}  // namespace ptx
