// Comparisons and what depends on them: setp, set, selp, slct, testp.
#include <cmath>
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

struct Equal {
  template <class T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct Less {
  template <class T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct LessOrEqual {
  template <class T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Differ {  // of numbers
  template <class T>
  static bool of(T a, T b) {
    return a < b || b < a;
  }
};
struct Numbers {
  template <class T>
  static bool of(T a, T b) {
    return a == a && b == b;
  }
};

enum Combine { kAlone, kAnd, kOr, kXor };

// Operands: result, its complement's result, a, b and, with a combination, a predicate.
template <class F, class T>
void compare_step(const Instruction& i, Warp& w, u32 mask) {
  u8 *to = w.at<u8>(i.at[0]), *complement = w.at<u8>(i.at[1]);
  const T *a = w.at<T>(i.at[2]), *b = w.at<T>(i.at[3]);
  const bool swap = i.vector == 2, invert = i.inverted;
  if (i.choice == kAlone) {
    lanes(mask, [=](int l) {
      const bool is = (swap ? F::of(b[l], a[l]) : F::of(a[l], b[l])) != invert;
      to[l] = is;
      complement[l] = !is;
    });
    return;
  }
  const u8* c = w.at<u8>(i.at[4]);
  const auto joined = [&](bool x, bool y) {
    return i.choice == kAnd ? x && y : i.choice == kOr ? x || y : x != y;
  };
  lanes(mask, [&](int l) {
    const bool is = (swap ? F::of(b[l], a[l]) : F::of(a[l], b[l])) != invert;
    const bool other = (c[l] != 0) != i.flush;  // written !%p
    to[l] = joined(is, other);
    complement[l] = joined(!is, other);
  });
}

// Numbers of 16 bits are compared as doubles, which they fit.
template <class F, bool brain>
void narrow_step(const Instruction& i, Warp& w, u32 mask) {
  const auto value = [&](int k, int l) {
    const u16 bits = w.at<u16>(i.at[k])[l];
    return brain ? static_cast<double>(of_bf16(bits)) : of_half(bits);
  };
  const bool swap = i.vector == 2;
  lanes(mask, [&](int l) {
    const bool is =
        (swap ? F::of(value(3, l), value(2, l)) : F::of(value(2, l), value(3, l))) != i.inverted;
    w.at<u8>(i.at[0])[l] = is;
    w.at<u8>(i.at[1])[l] = !is;
  });
}

template <class F>
Step compare_of(Type type) {
  switch (type) {
    case Type::kPred:
      return nullptr;
    case Type::kF32:
      return compare_step<F, float>;
    case Type::kF64:
      return compare_step<F, double>;
    case Type::kBf16:
      return narrow_step<F, true>;
    case Type::kF16:
      return narrow_step<F, false>;
    case Type::kS16:
      return compare_step<F, i16>;
    case Type::kS32:
      return compare_step<F, i32>;
    case Type::kS64:
      return compare_step<F, i64>;
    default:
      return bytes_of(type) == 2   ? compare_step<F, u16>
             : bytes_of(type) == 4 ? compare_step<F, u32>
             : bytes_of(type) == 8 ? compare_step<F, u64>
                                   : Step{nullptr};
  }
}

// Every comparison is one of five, with its operands swapped or its result inverted: what is true
// of a NaN is the complement of what is false of it.
struct Comparison {
  const char* name;
  Step (*of)(Type);
  bool swap, invert;
};

constexpr Comparison kComparisons[] = {
    {"eq", compare_of<Equal>, false, false},       {"ne", compare_of<Differ>, false, false},
    {"lt", compare_of<Less>, false, false},        {"le", compare_of<LessOrEqual>, false, false},
    {"gt", compare_of<Less>, true, false},         {"ge", compare_of<LessOrEqual>, true, false},
    {"lo", compare_of<Less>, false, false},        {"ls", compare_of<LessOrEqual>, false, false},
    {"hi", compare_of<Less>, true, false},         {"hs", compare_of<LessOrEqual>, true, false},
    {"equ", compare_of<Differ>, false, true},      {"neu", compare_of<Equal>, false, true},
    {"ltu", compare_of<LessOrEqual>, true, true},  {"leu", compare_of<Less>, true, true},
    {"gtu", compare_of<LessOrEqual>, false, true}, {"geu", compare_of<Less>, false, true},
    {"num", compare_of<Numbers>, false, false},    {"nan", compare_of<Numbers>, false, true},
};

constexpr const char* kCompareWords =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor";

void set_comparison(Decoder& d, Type type) {
  for (const Comparison& row : kComparisons) {
    if (!d.has(row.name)) continue;
    d.i.step = row.of(type);
    d.i.vector = row.swap ? 2 : 1;
    d.i.inverted = row.invert;
  }
}

void build_compare(Decoder& d) {
  d.expect(3, 4);
  const auto results = split(d.arguments[0], '|');
  d.out(results[0], Type::kPred);
  d.out(results.size() > 1 ? results[1] : "_", Type::kPred);
  d.in(1, d.type());
  d.in(2, d.type());
  set_comparison(d, d.type());
  const std::string combine = d.among("and or xor");
  d.i.choice = combine == "and" ? kAnd : combine == "or" ? kOr : combine == "xor" ? kXor : kAlone;
  if (combine.empty() != (d.arguments.size() == 3)) d.fail("expected a predicate to combine with");
  if (bytes_of(d.type()) == 2 && is_float(d.type()) && !combine.empty())
    d.fail("no combination of this type");
  if (combine.empty()) return;
  d.i.flush = d.arguments[3].starts_with('!');
  d.in(d.arguments[3].substr(d.i.flush ? 1 : 0), Type::kPred);
}

// set.gt.u32.f32: all ones or nothing; to a float, one or zero.
void set_step(const Instruction& i, Warp& w, u32 mask) {
  i.inner->step(*i.inner, w, mask);
  const u8* is = w.at<u8>(i.inner->at[0]);
  const u32 one = i.type == Type::kF32 ? 0x3f800000 : ~0u;
  lanes(mask, [&](int l) { w.at<u32>(i.at[0])[l] = is[l] != 0 ? one : 0; });
}

void build_set(Decoder& d) {
  d.expect(3, 3);
  if (d.types.size() != 2 || bytes_of(d.types[0]) != 4)
    d.fail("expected a type of 32 bits and another");
  Instruction whole = d.i;
  d.place(d.builder.take(8), 1);
  d.place(d.builder.take(8), 1);
  d.in(1, d.types[1]);
  d.in(2, d.types[1]);
  set_comparison(d, d.types[1]);
  if (d.i.step == nullptr) return;
  auto inner = std::make_shared<Instruction>(d.i);
  d.i = whole;
  d.out(0, d.types[0]);
  d.i.type = d.types[0];
  d.i.inner = std::move(inner);
  d.i.step = set_step;
}

template <class T>
void select_step(const Instruction& i, Warp& w, u32 mask) {
  T* to = w.at<T>(i.at[0]);
  const T *a = w.at<T>(i.at[1]), *b = w.at<T>(i.at[2]);
  const u8* predicate = w.at<u8>(i.at[3]);
  lanes(mask, [=](int l) { to[l] = predicate[l] != 0 ? a[l] : b[l]; });
}

void build_select(Decoder& d) {
  d.expect(4, 4);
  d.out(0, d.type());
  d.in(1, d.type());
  d.in(2, d.type());
  d.in(3, Type::kPred);
  const int bytes = bytes_of(d.type());
  d.i.step = bytes == 2 ? select_step<u16> : bytes == 4 ? select_step<u32> : select_step<u64>;
}

// slct.f32.s32: a where c >= 0.
template <class T, class C>
void sign_step(const Instruction& i, Warp& w, u32 mask) {
  lanes(mask, [&](int l) {
    const T a = w.at<T>(i.at[1])[l], b = w.at<T>(i.at[2])[l];
    w.at<T>(i.at[0])[l] = w.at<C>(i.at[3])[l] >= 0 ? a : b;
  });
}

void build_sign(Decoder& d) {
  d.expect(4, 4);
  for (std::size_t k = 0; k < 3; ++k) k == 0 ? d.out(k, d.types[0]) : d.in(k, d.types[0]);
  d.in(3, d.type());
  const bool real = d.type() == Type::kF32, wide = bytes_of(d.types[0]) == 8;
  if (wide)
    d.i.step = real ? sign_step<u64, float> : sign_step<u64, i32>;
  else if (bytes_of(d.types[0]) == 4)
    d.i.step = real ? sign_step<u32, float> : sign_step<u32, i32>;
}

template <class T>
void test_step(const Instruction& i, Warp& w, u32 mask) {
  static const std::vector<bool (*)(T)> kTests = {
      [](T x) { return std::isfinite(x); },
      [](T x) { return std::isinf(x); },
      [](T x) { return !std::isnan(x); },
      [](T x) { return std::isnan(x); },
      [](T x) { return std::isnormal(x) || x == 0; },
      [](T x) { return std::fpclassify(x) == FP_SUBNORMAL; }};
  const auto test = kTests[static_cast<std::size_t>(i.choice)];
  lanes(mask, [&](int l) { w.at<u8>(i.at[0])[l] = test(w.at<T>(i.at[1])[l]); });
}

void build_test(Decoder& d) {
  d.expect(2, 2);
  d.out(0, Type::kPred);
  d.in(1, d.type());
  const char* names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  for (int k = 0; k < 6; ++k)
    if (d.has(names[k])) d.i.choice = k;
  d.i.step = d.type() == Type::kF32 ? test_step<float> : test_step<double>;
}

}  // namespace

const Rows& choice_rows() {
  static const Rows rows = {
      {"setp", kCompareWords, build_compare},
      {"set", kCompareWords, build_set},
      {"selp", "", build_select},
      {"slct", "", build_sign},
      {"testp", "finite infinite number notanumber normal subnormal", build_test},
  };
  return rows;
}

}  // namespace ptx
