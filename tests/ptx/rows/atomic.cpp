// atom and red, on global and shared memory; lanes come one after the other.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/ptx/rows/steps.h"

namespace ptx {

void addresses_of(const Instruction& i, Warp& w, u32 mask, u64* addresses);
void set_space(Decoder& d, bool parameters);

namespace {

template <class T>
T add(T old, T x, T) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<u64>(old) + static_cast<u64>(x));
  else
    return old + x;
}
template <class T>
T least(T old, T x, T) {
  return std::min(old, x);
}
template <class T>
T most(T old, T x, T) {
  return std::max(old, x);
}
template <class T>
T exchange(T, T x, T) {
  return x;
}
template <class T>
T compare(T old, T x, T y) {
  return old == x ? y : old;
}
template <class T>
T both(T old, T x, T) {
  return old & x;
}
template <class T>
T either(T old, T x, T) {
  return old | x;
}
template <class T>
T differ(T old, T x, T) {
  return old ^ x;
}
template <class T>
T up_to(T old, T x, T) {
  return old >= x ? T{0} : static_cast<T>(old + 1);
}
template <class T>
T down_from(T old, T x, T) {
  return old == 0 || old > x ? x : static_cast<T>(old - 1);
}

// Pairs and single numbers of 16 bits.
template <bool brain, int pair, class T>
T add_narrow(T old, T x, T) {
  T result = 0;
  for (int k = 0; k < pair; ++k) {
    const u16 a = static_cast<u16>(old >> 16 * k), b = static_cast<u16>(x >> 16 * k);
    const u16 sum =
        brain ? bf16_of(double{of_bf16(a)} + of_bf16(b)) : half_of(of_half(a) + of_half(b));
    result = static_cast<T>(result | static_cast<T>(static_cast<u64>(sum) << 16 * k));
  }
  return result;
}

// Operands of atom: result, address, x, y; of red without the result.
template <class T, T (*of)(T, T, T)>
void atomic_step(const Instruction& i, Warp& w, u32 mask) {
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  w.block->traffic(addresses, mask, sizeof(T), true, i, -1);
  lanes(mask, [&](int l) {
    u8* place = w.block->resolve(addresses[l], sizeof(T), Access::kAtomic, w, l, i);
    if (place == nullptr) return;
    w.block->atomic_order(addresses[l], i);
    T old;
    std::memcpy(&old, place, sizeof old);
    const T now = of(old, w.at<T>(i.at[i.address + 1])[l], w.at<T>(i.at[i.operands - 1])[l]);
    std::memcpy(place, &now, sizeof now);
    if (i.address == 1) w.at<T>(i.at[0])[l] = old;
  });
}

struct Operation {
  const char* name;
  Type type;
  Step step;
};

#define LCSM_WHOLE(name, f)                                                                   \
  {name, Type::kU32, atomic_step<u32, f<u32>>}, {name, Type::kS32, atomic_step<i32, f<i32>>}, \
      {name, Type::kU64, atomic_step<u64, f<u64>>}, {                                         \
    name, Type::kS64, atomic_step<i64, f<i64>>                                                \
  }
#define LCSM_BITS(name, f) \
  {name, Type::kB32, atomic_step<u32, f<u32>>}, { name, Type::kB64, atomic_step<u64, f<u64>> }

const Operation kOperations[] = {
    LCSM_WHOLE("add", add),
    LCSM_WHOLE("min", least),
    LCSM_WHOLE("max", most),
    LCSM_BITS("exch", exchange),
    LCSM_BITS("cas", compare),
    LCSM_BITS("and", both),
    LCSM_BITS("or", either),
    LCSM_BITS("xor", differ),
    {"cas", Type::kB16, atomic_step<u16, compare<u16>>},
    {"inc", Type::kU32, atomic_step<u32, up_to<u32>>},
    {"dec", Type::kU32, atomic_step<u32, down_from<u32>>},
    {"add", Type::kF32, atomic_step<float, add<float>>},
    {"add", Type::kF64, atomic_step<double, add<double>>},
    {"add", Type::kBf16, atomic_step<u16, add_narrow<true, 1, u16>>},
    {"add", Type::kF16, atomic_step<u16, add_narrow<false, 1, u16>>},
    {"add", Type::kBf16x2, atomic_step<u32, add_narrow<true, 2, u32>>},
    {"add", Type::kF16x2, atomic_step<u32, add_narrow<false, 2, u32>>},
};

void build(Decoder& d) {
  const bool returns = d.parts[0] == "atom";
  const std::size_t first = returns ? 1 : 0;
  d.expect(first + 2, first + 3);
  set_space(d, false);
  if (returns) d.out(0, d.type());
  d.address(d.arguments[first]);
  for (std::size_t k = first + 1; k < d.arguments.size(); ++k) d.in(k, d.type());
  d.i.type = d.type();
  d.i.bytes = static_cast<u8>(bytes_of(d.type()));
  d.i.releases = !d.among("release acq_rel").empty();
  if (d.has("cas") != (d.arguments.size() == first + 3)) d.fail("expected other operands");
  for (const Operation& row : kOperations)
    if (d.has(row.name) && row.type == d.type()) d.i.step = row.step;
}

constexpr const char* kModifiers =
    "global shared shared::cta add min max exch cas and or xor inc dec noftz relaxed acquire "
    "release "
    "acq_rel cta gpu sys";

}  // namespace

const Rows& atomic_rows() {
  static const Rows rows = {{"atom", kModifiers, build}, {"red", kModifiers, build}};
  return rows;
}

}  // namespace ptx
