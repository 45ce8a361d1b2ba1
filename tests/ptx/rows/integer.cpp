// Whole numbers: sums, products, quotients, extrema.
#include <algorithm>

#include "tests/ptx/rows/steps.h"

namespace ptx {
namespace {

__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;

template <class T>
using Twice =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, i128, u128>,
                       std::conditional_t<std::is_signed_v<T>, i64, u64>>;

// Sums wrap around; computed without a sign they do in C++ too.
constexpr auto kAdd = []<class T>(T a, T b) -> T {
  return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
};
constexpr auto kSubtract = []<class T>(T a, T b) -> T {
  return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
};
constexpr auto kMultiply = []<class T>(T a, T b) -> T {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
};
constexpr auto kMultiplyAdd = []<class T>(T a, T b, T c) -> T { return kAdd(kMultiply(a, b), c); };
constexpr auto kMultiplyHigh = []<class T>(T a, T b) -> T {
  return static_cast<T>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b) >> (8 * sizeof(T)));
};
constexpr auto kMultiplyHighAdd = []<class T>(T a, T b, T c) -> T {
  return kAdd(kMultiplyHigh(a, b), c);
};
// A division by zero gives all ones on a device.
constexpr auto kDivide = []<class T>(T a, T b) -> T {
  if (b == 0) return static_cast<T>(~u64{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return kSubtract(T{0}, a);
  return static_cast<T>(a / b);
};
constexpr auto kRemainder = []<class T>(T a, T b) -> T {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
};
constexpr auto kLeast = []<class T>(T a, T b) -> T { return std::min(a, b); };
constexpr auto kMost = []<class T>(T a, T b) -> T { return std::max(a, b); };
constexpr auto kNegate = []<class T>(T a) -> T { return kSubtract(T{0}, a); };
constexpr auto kAbsolute = []<class T>(T a) -> T { return a < 0 ? kNegate(a) : a; };

template <class N>
u64 widened(N x) {
  return static_cast<u64>(static_cast<i64>(x));
}

template <class N, class W, bool add>
void wide_step(const Instruction& i, Warp& w, u32 mask) {
  W* to = w.at<W>(i.at[0]);
  const N *a = w.at<N>(i.at[1]), *b = w.at<N>(i.at[2]);
  const W* c = w.at<W>(i.at[add ? 3 : 2]);
  lanes(mask, [=](int l) {
    const W product = static_cast<W>(widened(a[l]) * widened(b[l]));
    to[l] = add ? kAdd(product, c[l]) : product;
  });
}

template <bool add>
Step wide_of(Type type) {
  switch (type) {
    case Type::kU16:
      return wide_step<u16, u32, add>;
    case Type::kS16:
      return wide_step<i16, i32, add>;
    case Type::kU32:
      return wide_step<u32, u64, add>;
    case Type::kS32:
      return wide_step<i32, i64, add>;
    default:
      return nullptr;
  }
}

Type twice(Type type) {
  return bytes_of(type) == 2 ? Type::kB32 : bytes_of(type) == 4 ? Type::kB64 : Type::kNone;
}

// mad and mul24 of narrower results.
template <bool add>
void build_product(Decoder& d) {
  const std::size_t count = add ? 4 : 3;
  d.expect(count, count);
  const bool wide = d.has("wide");
  d.out(0, wide ? twice(d.type()) : d.type());
  for (std::size_t k = 1; k < 3; ++k) d.in(k, d.type());
  if (add) d.in(3, wide ? twice(d.type()) : d.type());
  if (wide) d.i.step = wide_of<add>(d.type());
  if (d.has("lo"))
    d.i.step = add ? integer_step<3, kMultiplyAdd>(d.type()) : integer_step<2, kMultiply>(d.type());
  if (d.has("hi"))
    d.i.step = add ? integer_step<3, kMultiplyHighAdd>(d.type())
                   : integer_step<2, kMultiplyHigh>(d.type());
}

template <int N, auto F>
void build(Decoder& d) {
  same_operands(d, N + 1);
  d.i.step = integer_step<N, F>(d.type());
}

}  // namespace

// Rows of add, sub, mul, min, max, neg, abs and mad for whole numbers; rows/float.cpp passes them
// on.
void build_integer(Decoder& d) {
  const std::string& name = d.parts[0];
  if (name == "mul") return build_product<false>(d);
  if (name == "mad") return build_product<true>(d);
  if (name == "add") return build<2, kAdd>(d);
  if (name == "sub") return build<2, kSubtract>(d);
  if (name == "div") return build<2, kDivide>(d);
  if (name == "min") return build<2, kLeast>(d);
  if (name == "max") return build<2, kMost>(d);
  if (name == "neg") return build<1, kNegate>(d);
  if (name == "abs") return build<1, kAbsolute>(d);
}

const Rows& integer_rows() {
  static const Rows rows = {
      {"rem", "", build<2, kRemainder>},
      {"mad", "lo hi wide rn rz rm rp ftz sat", build_float_or_integer},
  };
  return rows;
}

}  // namespace ptx
