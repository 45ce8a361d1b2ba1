// Bits: logic, shifts, fields, counts, bytes.
#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

struct And {
  template <class T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct Exclusive {
  template <class T>
  static T of(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return sizeof(T) == 1 ? static_cast<T>(a == 0) : static_cast<T>(~a);  // a byte is a predicate
  }
};
struct LogicalNot {
  template <class T>
  static T of(T a) {
    return a == 0;
  }
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

// ----- Counts -----

template <class T>
u32 population(T x) {
  return static_cast<u32>(std::popcount(x));
}
template <class T>
u32 leading_zeros(T x) {
  return static_cast<u32>(std::countl_zero(x));
}
// The position of the highest bit that differs from the sign.
template <class T>
u32 highest(T x) {
  std::make_unsigned_t<T> bits = static_cast<std::make_unsigned_t<T>>(x < 0 ? ~x : x);
  return static_cast<u32>(8 * sizeof(T)) - 1 - static_cast<u32>(std::countl_zero(bits));
}
template <class T>
u32 distance(T x) {
  const u32 at = highest(x);
  return at == ~0u ? at : static_cast<u32>(8 * sizeof(T)) - 1 - at;
}

template <class T, u32 (*count)(T)>
void count_step(const Instruction& i, Warp& w, u32 mask) {
  u32* to = w.at<u32>(i.at[0]);
  const T* a = w.at<T>(i.at[1]);
  lanes(mask, [=](int l) { to[l] = count(a[l]); });
}

Step highest_of(Type type, bool shift) {
  if (shift)
    return type == Type::kU32   ? count_step<u32, distance<u32>>
           : type == Type::kS32 ? count_step<i32, distance<i32>>
           : type == Type::kU64 ? count_step<u64, distance<u64>>
                                : count_step<i64, distance<i64>>;
  return type == Type::kU32   ? count_step<u32, highest<u32>>
         : type == Type::kS32 ? count_step<i32, highest<i32>>
         : type == Type::kU64 ? count_step<u64, highest<u64>>
                              : count_step<i64, highest<i64>>;
}

void build_count(Decoder& d) {
  d.expect(2, 2);
  d.out(0, Type::kU32);
  d.in(1, d.type());
  const bool wide = bytes_of(d.type()) == 8;
  if (d.parts[0] == "popc")
    d.i.step = wide ? count_step<u64, population<u64>> : count_step<u32, population<u32>>;
  if (d.parts[0] == "clz")
    d.i.step = wide ? count_step<u64, leading_zeros<u64>> : count_step<u32, leading_zeros<u32>>;
  if (d.parts[0] == "bfind") d.i.step = highest_of(d.type(), d.has("shiftamt"));
}

struct Reverse {
  template <class T>
  static T of(T a) {
    T result = 0;
    for (unsigned k = 0; k < 8 * sizeof(T); ++k, a >>= 1)
      result = static_cast<T>(result << 1 | (a & 1));
    return result;
  }
};

// ----- Fields -----

u64 field_mask(u32 length) { return length >= 64 ? ~0ull : (1ull << length) - 1; }

// bfe: bits from a position on, of signed types with the sign of the last.
template <class T>
void extract_step(const Instruction& i, Warp& w, u32 mask) {
  constexpr u32 kWidth = 8 * sizeof(T);
  lanes(mask, [&](int l) {
    const u32 at = w.at<u32>(i.at[2])[l] & 255, length = w.at<u32>(i.at[3])[l] & 255;
    const T a = w.at<T>(i.at[1])[l];
    const u64 sign = std::is_signed_v<T> && a < 0 ? ~0ull : 0;
    const u64 bits = at >= kWidth ? sign : static_cast<u64>(static_cast<i64>(a) >> at);
    const u32 inside = length < kWidth ? length : kWidth;
    const u32 last = at + inside < kWidth ? at + inside - 1 : kWidth - 1;
    const bool negative =
        std::is_signed_v<T> && length != 0 && (static_cast<u64>(a) >> last & 1) != 0;
    u64 value = bits & field_mask(inside);
    if (negative) value |= ~field_mask(inside);
    w.at<T>(i.at[0])[l] = static_cast<T>(length == 0 ? 0 : value);
  });
}

void build_extract(Decoder& d) {
  d.expect(4, 4);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, Type::kU32);
  d.in(3, Type::kU32);
  const bool wide = bytes_of(d.type()) == 8;
  if (is_signed(d.type()))
    d.i.step = wide ? extract_step<i64> : extract_step<i32>;
  else
    d.i.step = wide ? extract_step<u64> : extract_step<u32>;
}

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

// lop3: any function of three bits, by its table of truth.
void table_step(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    const u32 a = w.at<u32>(i.at[1])[l], b = w.at<u32>(i.at[2])[l], c = w.at<u32>(i.at[3])[l];
    u32 result = 0;
    for (u32 k = 0; k < 8; ++k)
      if ((i.choice >> k & 1) != 0)
        result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    w.at<u32>(i.at[0])[l] = result;
  });
}

void build_table(Decoder& d) {
  d.expect(5, 5);
  d.out(0, d.type());
  for (std::size_t k = 1; k < 4; ++k) d.in(k, d.type());
  d.i.choice = std::stoi(d.arguments[4], nullptr, 0);
  d.i.step = table_step;
}

template <int N, class F>
void build(Decoder& d) {
  same_operands(d, N + 1);
  d.i.step = bit_step<N, F>(d.type());
}

}  // namespace

const Rows& bit_rows() {
  static const Rows rows = {
      {"and", "", build<2, And>},         {"or", "", build<2, Or>},
      {"xor", "", build<2, Exclusive>},   {"not", "", build<1, Not>},
      {"cnot", "", build<1, LogicalNot>}, {"shl", "", build_shift},
      {"shr", "", build_shift},           {"shf", "l r wrap clamp", build_funnel},
      {"popc", "", build_count},          {"clz", "", build_count},
      {"bfind", "shiftamt", build_count}, {"brev", "", build<1, Reverse>},
      {"bfe", "", build_extract},         {"bfi", "", build_insert},
      {"prmt", "", build_permute},        {"lop3", "", build_table},
  };
  return rows;
}

}  // namespace ptx
