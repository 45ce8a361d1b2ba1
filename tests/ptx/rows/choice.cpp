// Comparisons and choices by them: setp and selp.
#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

constexpr auto kEqual = []<class T>(T a, T b) -> bool { return a == b; };
constexpr auto kLess = []<class T>(T a, T b) -> bool { return a < b; };
constexpr auto kLessOrEqual = []<class T>(T a, T b) -> bool { return a <= b; };
// False of a NaN.
constexpr auto kDiffer = []<class T>(T a, T b) -> bool { return a < b || b < a; };
constexpr auto kNumbers = []<class T>(T a, T b) -> bool { return a == a && b == b; };

enum Combine { kAlone, kAnd, kOr, kXor };

// Operands: result, its complement's result, a, b and, with a combination, a predicate.
template <auto F, class T>
void compare_step(const Instruction& i, Warp& w, u32 mask) {
  u8 *to = w.at<u8>(i.at[0]), *complement = w.at<u8>(i.at[1]);
  const T *a = w.at<T>(i.at[2]), *b = w.at<T>(i.at[3]);
  const bool swap = i.vector == 2, invert = i.inverted;
  if (i.choice == kAlone) {
    lanes(mask, [=](int l) {
      const bool is = (swap ? F(b[l], a[l]) : F(a[l], b[l])) != invert;
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
    const bool is = (swap ? F(b[l], a[l]) : F(a[l], b[l])) != invert;
    const bool other = (c[l] != 0) != i.flush;  // written !%p
    to[l] = joined(is, other);
    complement[l] = joined(!is, other);
  });
}

template <auto F>
Step compare_of(Type type) {
  switch (type) {
    case Type::kPred:
    case Type::kBf16:
    case Type::kF16:
      return nullptr;
    case Type::kF32:
      return compare_step<F, float>;
    case Type::kF64:
      return compare_step<F, double>;
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

// Every comparison is one of five, with operands swapped or the result inverted: a comparison that
// is true for NaN is the complement of one that is false for NaN.
struct Comparison {
  const char* name;
  Step (*of)(Type);
  bool swap, invert;
};

constexpr Comparison kComparisons[] = {
    {"eq", compare_of<kEqual>, false, false},       {"ne", compare_of<kDiffer>, false, false},
    {"lt", compare_of<kLess>, false, false},        {"le", compare_of<kLessOrEqual>, false, false},
    {"gt", compare_of<kLess>, true, false},         {"ge", compare_of<kLessOrEqual>, true, false},
    {"lo", compare_of<kLess>, false, false},        {"ls", compare_of<kLessOrEqual>, false, false},
    {"hi", compare_of<kLess>, true, false},         {"hs", compare_of<kLessOrEqual>, true, false},
    {"equ", compare_of<kDiffer>, false, true},      {"neu", compare_of<kEqual>, false, true},
    {"ltu", compare_of<kLessOrEqual>, true, true},  {"leu", compare_of<kLess>, true, true},
    {"gtu", compare_of<kLessOrEqual>, false, true}, {"geu", compare_of<kLess>, false, true},
    {"num", compare_of<kNumbers>, false, false},    {"nan", compare_of<kNumbers>, false, true},
};

constexpr const char* kCompareWords =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor";

void build_compare(Decoder& d) {
  d.expect(3, 4);
  const auto results = split(d.arguments[0], '|');
  d.out(results[0], Type::kPred);
  d.out(results.size() > 1 ? results[1] : "_", Type::kPred);
  d.in(1, d.type());
  d.in(2, d.type());
  for (const Comparison& row : kComparisons) {
    if (!d.has(row.name)) continue;
    d.i.step = row.of(d.type());
    d.i.vector = row.swap ? 2 : 1;
    d.i.inverted = row.invert;
  }
  const std::string combine = d.among("and or xor");
  d.i.choice = combine == "and" ? kAnd : combine == "or" ? kOr : combine == "xor" ? kXor : kAlone;
  if (combine.empty() != (d.arguments.size() == 3)) d.fail("expected a predicate to combine with");
  if (combine.empty()) return;
  d.i.flush = d.arguments[3].starts_with('!');
  d.in(d.arguments[3].substr(d.i.flush ? 1 : 0), Type::kPred);
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

}  // namespace

const Rows& choice_rows() {
  static const Rows rows = {
      {"setp", kCompareWords, build_compare},
      {"selp", "", build_select},
  };
  return rows;
}

}  // namespace ptx
