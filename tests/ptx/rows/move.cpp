// mov, also of parts of a register; addresses between spaces.
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

constexpr auto kSame = []<class T>(T a) -> T { return a; };

std::vector<std::string> parts_of(const std::string& braces) {
  return split(braces.substr(1, braces.size() - 2), ',');
}

// mov.b32 %r, {%rs1, %rs2}: the first is the lowest.
void pack_step(const Instruction& i, Warp& w, u32 mask) {
  const int whole = i.width[0], part = i.width[1];
  lanes(mask, [&](int l) {
    u8 value[8];
    for (int k = 0; k * part < whole; ++k)
      std::memcpy(value + k * part, w.file + i.at[k + 1] + l * part,
                  static_cast<std::size_t>(part));
    std::memcpy(w.file + i.at[0] + l * whole, value, static_cast<std::size_t>(whole));
  });
}

// mov.b32 {%rs1, %rs2}, %r; the whole is the last operand.
void unpack_step(const Instruction& i, Warp& w, u32 mask) {
  const int last = i.operands - 1, whole = i.width[last], part = i.width[0];
  lanes(mask, [&](int l) {
    u8 value[8];
    std::memcpy(value, w.file + i.at[last] + l * whole, static_cast<std::size_t>(whole));
    for (int k = 0; k < last; ++k)
      std::memcpy(w.file + i.at[k] + l * part, value + k * part, static_cast<std::size_t>(part));
  });
}

Type bits_of_width(Decoder& d, int bytes) {
  const Type type = bytes == 1   ? Type::kB8
                    : bytes == 2 ? Type::kB16
                    : bytes == 4 ? Type::kB32
                                 : Type::kNone;
  if (type == Type::kNone) d.fail("expected two, four or eight equal parts");
  return type;
}

void build_move(Decoder& d) {
  d.expect(2, 2);
  const bool pack = d.arguments[1].starts_with('{'), unpack = d.arguments[0].starts_with('{');
  const int bytes = bytes_of(d.type());
  if (!pack && !unpack) {
    same_operands(d, 2);
    d.i.step = bit_step<1, kSame>(d.type());
    return;
  }
  const auto names = parts_of(d.arguments[pack ? 1 : 0]);
  const Type part = bits_of_width(d, bytes / static_cast<int>(names.size()));
  if (pack) d.out(0, d.type());
  for (const std::string& name : names) pack ? d.in(name, part) : d.out(name, part);
  if (!pack) d.in(1, d.type());
  d.i.step = pack ? Step{pack_step} : Step{unpack_step};
}

// cvta: between an address in a space and one that tells its space.
template <bool to_generic>
void convert_step(const Instruction& i, Warp& w, u32 mask) {
  const u64 window = i.space == Space::kShared  ? kSharedWindow
                     : i.space == Space::kLocal ? kLocalWindow
                                                : 0;
  u64* to = w.at<u64>(i.at[0]);
  const u64* a = w.at<u64>(i.at[1]);
  lanes(mask, [=](int l) { to[l] = to_generic ? a[l] + window : a[l] - window; });
}

void set_space(Decoder& d) {
  d.i.space = d.has("shared") || d.has("shared::cta") ? Space::kShared
              : d.has("local")                        ? Space::kLocal
                                                      : Space::kGlobal;
}

void build_convert(Decoder& d) {
  same_operands(d, 2);
  set_space(d);
  if (bytes_of(d.type()) == 8)
    d.i.step = d.has("to") ? Step{convert_step<false>} : Step{convert_step<true>};
}

}  // namespace

const Rows& move_rows() {
  static const Rows rows = {
      {"mov", "", build_move},
      {"cvta", "to global shared shared::cta local const param", build_convert},
  };
  return rows;
}

}  // namespace ptx
