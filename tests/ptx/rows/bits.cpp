// Bits: logic, shifts, fields, bytes.
#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

constexpr auto kAnd = []<class T>(T a, T b) -> T { return a & b; };
constexpr auto kOr = []<class T>(T a, T b) -> T { return a | b; };
constexpr auto kExclusive = []<class T>(T a, T b) -> T { return a ^ b; };
constexpr auto kNot = []<class T>(T a) -> T {
  return sizeof(T) == 1 ? static_cast<T>(a == 0) : static_cast<T>(~a);  // a byte is a predicate
};

// Shifts beyond the width leave nothing, or the sign.
template <class T, bool left>
void shift_step(const Instruction& i, Warp& w, u32 mask) {
  constexpr u32 kWidth = 8 * sizeof(T);
  T* to = w.at<T>(i.at[0]);
  const T* a = w.at<T>(i.at[1]);
  const u32* count = w.at<u32>(i.at[2]);
  lanes(mask, [=](int l) {
    const u32 n = count[l];
    if (left)
      to[l] = n >= kWidth ? T{0} : static_cast<T>(static_cast<u64>(a[l]) << n);
    else
      to[l] = static_cast<T>(n >= kWidth ? (a[l] < 0 ? -1 : 0) : a[l] >> n);
  });
}

void build_shift(Decoder& d) {
  d.expect(3, 3);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, Type::kU32);
  const bool left = d.parts[0] == "shl";
  const int bytes = bytes_of(d.type());
  if (left)
    d.i.step = bytes == 2   ? shift_step<u16, true>
               : bytes == 4 ? shift_step<u32, true>
                            : shift_step<u64, true>;
  else if (is_signed(d.type()))
    d.i.step = bytes == 2   ? shift_step<i16, false>
               : bytes == 4 ? shift_step<i32, false>
                            : shift_step<i64, false>;
  else
    d.i.step = bytes == 2   ? shift_step<u16, false>
               : bytes == 4 ? shift_step<u32, false>
                            : shift_step<u64, false>;
}

// shf: 32 bits of the 64 that b (upper) and a (lower) make.
void funnel_step(const Instruction& i, Warp& w, u32 mask) {
  const bool left = (i.choice & 1) != 0, wrap = (i.choice & 2) != 0;
  lanes(mask, [&](int l) {
    const u64 both = u64{w.at<u32>(i.at[2])[l]} << 32 | w.at<u32>(i.at[1])[l];
    u32 n = w.at<u32>(i.at[3])[l];
    n = wrap ? n & 31 : n < 32 ? n : 32;
    w.at<u32>(i.at[0])[l] = static_cast<u32>(left ? both << n >> 32 : both >> n);
  });
}

void build_funnel(Decoder& d) {
  same_operands(d, 4);
  d.i.choice = (d.has("l") ? 1 : 0) + (d.has("wrap") ? 2 : 0);
  d.i.step = funnel_step;
}

u64 field_mask(u32 length) { return length >= 64 ? ~0ull : (1ull << length) - 1; }

// bfi: a into b.
template <class T>
void insert_step(const Instruction& i, Warp& w, u32 mask) {
  constexpr u32 kWidth = 8 * sizeof(T);
  lanes(mask, [&](int l) {
    const u32 at = w.at<u32>(i.at[3])[l] & 255, length = w.at<u32>(i.at[4])[l] & 255;
    const T a = w.at<T>(i.at[1])[l], b = w.at<T>(i.at[2])[l];
    const T field = at >= kWidth ? T{0} : static_cast<T>(field_mask(length) << at);
    const T moved = at >= kWidth ? T{0} : static_cast<T>(a << at);
    w.at<T>(i.at[0])[l] = (b & ~field) | (moved & field);
  });
}

void build_insert(Decoder& d) {
  d.expect(5, 5);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, d.type());
  d.in(3, Type::kU32);
  d.in(4, Type::kU32);
  d.i.step = bytes_of(d.type()) == 8 ? insert_step<u64> : insert_step<u32>;
}

// prmt: four of eight bytes; bit 3 of a selector spreads the sign of its byte.
void permute_step(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    const u64 both = u64{w.at<u32>(i.at[2])[l]} << 32 | w.at<u32>(i.at[1])[l];
    const u32 selectors = w.at<u32>(i.at[3])[l];
    u32 result = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 selector = selectors >> 4 * k & 15;
      u32 byte = static_cast<u32>(both >> 8 * (selector & 7)) & 255;
      if ((selector & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << 8 * k;
    }
    w.at<u32>(i.at[0])[l] = result;
  });
}

void build_permute(Decoder& d) {
  same_operands(d, 4);
  d.i.step = permute_step;
}

template <int N, auto F>
void build(Decoder& d) {
  same_operands(d, N + 1);
  d.i.step = bit_step<N, F>(d.type());
}

}  // namespace

const Rows& bit_rows() {
  static const Rows rows = {
      {"and", "", build<2, kAnd>},
      {"or", "", build<2, kOr>},
      {"xor", "", build<2, kExclusive>},
      {"not", "", build<1, kNot>},
      {"shl", "", build_shift},
      {"shr", "", build_shift},
      {"bfi", "", build_insert},
      {"prmt", "", build_permute},
      {"shf", "l r wrap clamp", build_funnel},
  };
  return rows;
}

}  // namespace ptx
