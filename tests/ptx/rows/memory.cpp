// ld and st in every space, of one, two or four values.
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {

// The addresses that a warp's lanes mean, each telling its space.
void addresses_of(const Instruction& i, Warp& w, u32 mask, u64* addresses) {
  const int place = i.at[i.address];
  const u64 window = i.space == Space::kShared  ? kSharedWindow
                     : i.space == Space::kLocal ? kLocalWindow
                                                : 0;
  const u64 offset = static_cast<u64>(i.offset) + window;
  if (i.width[i.address] == 8) {
    const u64* base = w.at<u64>(place);
    lanes(mask, [=](int l) { addresses[l] = base[l] + offset; });
  } else {
    const u32* base = w.at<u32>(place);
    lanes(mask, [=](int l) { addresses[l] = u64{base[l]} + offset; });
  }
}

void set_space(Decoder& d, bool parameters) {
  d.i.space = d.has("shared") || d.has("shared::cta") ? Space::kShared
              : d.has("local")                        ? Space::kLocal
              : d.has("global") || d.has("const")     ? Space::kGlobal
              : parameters && d.has("param")          ? Space::kParam
                                                      : Space::kGeneric;
}

namespace {

// memcpy of a size that is known to be one of four.
void copy(u8* to, const u8* from, int bytes) {
  switch (bytes) {
    case 1:
      *to = *from;
      break;
    case 2:
      std::memcpy(to, from, 2);
      break;
    case 4:
      std::memcpy(to, from, 4);
      break;
    default:
      std::memcpy(to, from, 8);
  }
}

// A narrow value in a wide register is extended by its sign.
void put(const Instruction& i, Warp& w, int k, const u8* value, int bytes, int l) {
  const int width = i.width[k];
  u8* to = w.file + i.at[k] + l * width;
  if (width == bytes) return copy(to, value, bytes);
  const bool negative = is_signed(i.type) && (value[bytes - 1] & 128) != 0;
  std::memset(to, negative ? 255 : 0, static_cast<std::size_t>(width));
  std::memcpy(to, value, static_cast<std::size_t>(bytes));
}

void load_step(const Instruction& i, Warp& w, u32 mask) {
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  const int each = i.bytes, all = each * i.vector;
  w.block->traffic(addresses, mask, all, false, i);
  lanes(mask, [&](int l) {
    u8 poison[32];
    const u8* from = w.block->resolve(addresses[l], all, Access::kRead, w, l, i);
    if (from == nullptr) from = static_cast<const u8*>(std::memset(poison, kPoison, sizeof poison));
    for (int k = 0; k < i.vector; ++k) put(i, w, k, from + k * each, each, l);
  });
}

void store_step(const Instruction& i, Warp& w, u32 mask) {
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  const int each = i.bytes, all = each * i.vector;
  w.block->traffic(addresses, mask, all, true, i);
  lanes(mask, [&](int l) {
    u8* to = w.block->resolve(addresses[l], all, Access::kWrite, w, l, i);
    if (to == nullptr) return;
    for (int k = 0; k < i.vector; ++k)
      copy(to + k * each, w.file + i.at[k + 1] + l * i.width[k + 1], each);
  });
}

void parameter_step(const Instruction& i, Warp& w, u32 mask) {
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  const std::vector<u8>& bytes = w.block->launch.parameters;
  const int each = i.bytes;
  lanes(mask, [&](int l) {
    const u64 end = addresses[l] + static_cast<u64>(each * i.vector);
    if (end > bytes.size())
      return w.block->finding(Fault::kOutOfBounds, i, "beyond the parameters");
    for (int k = 0; k < i.vector; ++k)
      put(i, w, k, bytes.data() + addresses[l] + static_cast<u64>(k * each), each, l);
  });
}

std::vector<std::string> values_of(Decoder& d, std::size_t k) {
  const std::string& text = d.arguments[k];
  const auto names = text.starts_with('{') ? split(text.substr(1, text.size() - 2), ',')
                                           : std::vector<std::string>{text};
  const std::string vector = d.among("v2 v4");
  if (names.size() != (vector == "v4" ? 4u : vector == "v2" ? 2u : 1u))
    d.fail("expected as many values as the vector has");
  d.i.vector = static_cast<u8>(names.size());
  d.i.bytes = static_cast<u8>(bytes_of(d.type()));
  d.i.type = d.type();
  return names;
}

void check_widths(Decoder& d) {
  for (int k = 0; k < d.i.operands; ++k)
    if (k != d.i.address && d.i.width[k] < d.i.bytes)
      d.fail("expected registers at least as wide as the type");
  if (d.i.bytes * d.i.vector > 16) d.fail("expected at most 16 bytes a lane");
}

// Cache hints (.ca .cg .L2::128B ...) change no result; an operand for a cache policy has no row.
constexpr const char* kLoads =
    "global shared shared::cta local const param v2 v4 nc ca cg cs lu cv volatile weak relaxed "
    "acquire "
    "cta gpu sys L1::evict_last L1::evict_first L1::no_allocate L1::evict_normal L2::64B L2::128B "
    "L2::256B";
constexpr const char* kStores =
    "global shared shared::cta local param v2 v4 wb cg cs wt volatile weak relaxed release cta gpu "
    "sys "
    "L1::evict_last L1::evict_first L1::no_allocate L1::evict_normal";

void build_load(Decoder& d) {
  d.expect(2, 2);
  set_space(d, true);
  for (const std::string& name : values_of(d, 0)) d.out_any(name);
  d.address(d.arguments[1]);
  d.i.read_only = d.has("nc");
  check_widths(d);
  d.i.step = d.i.space == Space::kParam ? parameter_step : load_step;
}

void build_store(Decoder& d) {
  d.expect(2, 2);
  set_space(d, true);
  d.address(d.arguments[0]);
  for (const std::string& name : values_of(d, 1)) d.in_any(name, d.type());
  check_widths(d);
  if (d.i.space == Space::kParam) d.fail("parameters are read only");
  d.i.step = store_step;
}

}  // namespace

const Rows& memory_rows() {
  static const Rows rows = {
      {"ld", kLoads, build_load},
      {"st", kStores, build_store},
  };
  return rows;
}

}  // namespace ptx
