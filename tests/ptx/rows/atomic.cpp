// atom.add, on global and shared memory; lanes come one after the other.
#include <cstring>

#include "tests/ptx/rows/steps.h"

namespace ptx {

void addresses_of(const Instruction& i, Warp& w, u32 mask, u64* addresses);
void set_space(Decoder& d, bool parameters);

namespace {

// Operands: result, address, x.
template <class T>
void add_step(const Instruction& i, Warp& w, u32 mask) {
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  w.block->traffic(addresses, mask, sizeof(T), true, i, -1);
  lanes(mask, [&](int l) {
    u8* place = w.block->resolve(addresses[l], sizeof(T), Access::kAtomic, w, l, i);
    if (place == nullptr) return;
    w.block->atomic_order(addresses[l], i);
    T old;
    std::memcpy(&old, place, sizeof old);
    const T now = old + w.at<T>(i.at[2])[l];
    std::memcpy(place, &now, sizeof now);
    w.at<T>(i.at[0])[l] = old;
  });
}

void build(Decoder& d) {
  d.expect(3, 3);
  set_space(d, false);
  d.out(0, d.type());
  d.address(d.arguments[1]);
  d.in(2, d.type());
  d.i.type = d.type();
  d.i.bytes = static_cast<u8>(bytes_of(d.type()));
  d.i.releases = !d.among("release acq_rel").empty();
  if (!d.has("add")) return;
  if (d.type() == Type::kU32) d.i.step = add_step<u32>;
  if (d.type() == Type::kF64) d.i.step = add_step<double>;
}

}  // namespace

const Rows& atomic_rows() {
  static const Rows rows = {
      {"atom", "global shared shared::cta add relaxed acquire release acq_rel cta gpu sys", build}};
  return rows;
}

}  // namespace ptx
