// cp.async: copied data arrives when the thread waits for it. Earlier accesses are faults.
#include <algorithm>
#include <cstring>

#include "tests/ptx/rows/steps.h"

namespace ptx {

void addresses_of(const Instruction& i, Warp& w, u32 mask, u64* addresses);

namespace {

// Operands: destination, source, and the number of bytes to read if it is not all.
void copy_step(const Instruction& i, Warp& w, u32 mask) {
  u64 to[32], from[32];
  addresses_of(i, w, mask, to);
  addresses_of(*i.inner, w, mask, from);
  w.block->traffic(from, mask, i.bytes, false, i);
  w.block->traffic(to, mask, i.bytes, true, i);
  lanes(mask, [&](int l) {
    const int read =
        i.operands == 3 ? std::min<int>(i.bytes, static_cast<int>(w.at<u32>(i.at[2])[l])) : i.bytes;
    Copy copy = {to[l], {}, i.bytes, &i};
    if (read > 0) {
      const u64 whole = from[l] % static_cast<u64>(i.bytes);
      if (whole != 0)
        w.block->finding(Fault::kMisaligned, i, "a source that is no multiple of its size");
      for (int k = 0; k < read && whole == 0; ++k)  // rest: zeros
        if (const u8* source =
                w.block->resolve(from[l] + static_cast<u64>(k), 1, Access::kRead, w, l, i))
          copy.data[k] = *source;
    }
    if (w.block->resolve(to[l], i.bytes, Access::kIssue, w, l, i) != nullptr)
      w.copies[l].push_back(copy);
  });
}

void commit_step(const Instruction&, Warp& w, u32 mask) {
  lanes(mask, [&](int l) { w.groups[l].push_back(w.copies[l].size()); });
}

void land(Warp& w, int lane, std::size_t count) {
  auto& copies = w.copies[lane];
  for (std::size_t k = 0; k < count; ++k) {
    const Copy& copy = copies[k];
    if (u8* to = w.block->resolve(copy.to, copy.bytes, Access::kLand, w, lane, *copy.at))
      std::memcpy(to, copy.data, static_cast<std::size_t>(copy.bytes));
  }
  copies.erase(copies.begin(), copies.begin() + static_cast<i64>(count));
}

// All but the latest `choice` groups arrive.
void wait_step(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    auto& groups = w.groups[l];
    if (i.inverted) groups.push_back(w.copies[l].size());
    const auto keep = static_cast<std::size_t>(i.choice);
    if (groups.size() <= keep) return;
    const std::size_t done = groups.size() - keep, copies = groups[done - 1];
    land(w, l, copies);
    groups.erase(groups.begin(), groups.begin() + static_cast<i64>(done));
    for (std::size_t& end : groups) end -= copies;
  });
}

void build_copy(Decoder& d) {
  d.expect(3, 4);
  d.i.bytes = static_cast<u8>(std::stoi(d.arguments[2]));
  if (d.i.bytes != 16 && (d.has("cg") || (d.i.bytes != 4 && d.i.bytes != 8)))
    d.fail("expected 16 bytes, or with .ca 4 or 8");
  Decoder source = d;
  d.i.space = Space::kShared;
  d.address(d.arguments[0]);
  source.i.space = Space::kGlobal;
  source.address(d.arguments[1]);
  d.place(source.i.at[0], source.i.width[0]);
  if (d.arguments.size() == 4) d.in(3, Type::kU32);
  d.i.inner = std::make_shared<Instruction>(source.i);
  if (d.has("shared") || d.has("shared::cta")) d.i.step = copy_step;
}

void build(Decoder& d) {
  if (!d.has("async")) d.fail("expected cp.async");
  if (d.has("commit_group")) {
    d.i.step = commit_step;
  } else if (d.has("wait_group") || d.has("wait_all")) {
    d.i.inverted = d.has("wait_all");
    d.i.choice = d.i.inverted ? 0 : std::stoi(d.arguments.at(0));
    d.i.step = wait_step;
  } else {
    build_copy(d);
  }
}

}  // namespace

const Rows& copy_rows() {
  static const Rows rows = {{"cp",
                             "async ca cg shared shared::cta global commit_group wait_group "
                             "wait_all L2::64B L2::128B L2::256B",
                             build}};
  return rows;
}

}  // namespace ptx
