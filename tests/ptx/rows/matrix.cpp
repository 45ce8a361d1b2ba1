// ldmatrix and stmatrix: tiles of 8 x 8 numbers of 16 bits between shared memory and the fragments
// of mma.
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {

void addresses_of(const Instruction& i, Warp& w, u32 mask, u64* addresses);
void set_space(Decoder& d, bool parameters);

namespace {

constexpr int kRowBytes = 16, kServed = 8;  // lanes at once: 8 rows are all banks

// The row and column of the number in the lane's k-th half.
struct Place {
  int row, column;
};
Place place_of(int lane, int half, bool transposed) {
  const Place plain = {lane / 4, lane % 4 * 2 + half};
  return transposed ? Place{plain.column, plain.row} : plain;
}

// The rows of tile t begin where lanes 8 t to 8 t + 7 say; other lanes' addresses are not used.
bool rows_of(const Instruction& i, Warp& w, u32 mask, Access kind, u8** rows) {
  if (mask != kWholeWarp) {
    w.block->finding(Fault::kDivergence, i, "lanes of the warp are missing");
    return false;
  }
  u64 addresses[32];
  addresses_of(i, w, mask, addresses);
  const int count = 8 * i.vector;
  w.block->traffic(addresses, count == 32 ? kWholeWarp : (1u << count) - 1, kRowBytes,
                   kind == Access::kWrite, i, kServed);
  for (int l = 0; l < count; ++l) {
    rows[l] = w.block->resolve(addresses[l], kRowBytes, kind, w, l, i);
    if (rows[l] == nullptr) return false;
  }
  return true;
}

void load_step(const Instruction& i, Warp& w, u32 mask) {
  u8* rows[32];
  if (!rows_of(i, w, mask, Access::kRead, rows)) return;
  for (int tile = 0; tile < i.vector; ++tile)
    for (int l = 0; l < 32; ++l)
      for (int half = 0; half < 2; ++half) {
        const Place from = place_of(l, half, i.inverted);
        std::memcpy(&w.at<u16>(i.at[tile])[2 * l + half],
                    rows[8 * tile + from.row] + 2 * from.column, 2);
      }
}

void store_step(const Instruction& i, Warp& w, u32 mask) {
  u8* rows[32];
  if (!rows_of(i, w, mask, Access::kWrite, rows)) return;
  for (int tile = 0; tile < i.vector; ++tile)
    for (int l = 0; l < 32; ++l)
      for (int half = 0; half < 2; ++half) {
        const Place to = place_of(l, half, i.inverted);
        std::memcpy(rows[8 * tile + to.row] + 2 * to.column,
                    &w.at<u16>(i.at[1 + tile])[2 * l + half], 2);
      }
}

void build(Decoder& d) {
  d.expect(2, 2);
  const bool load = d.parts[0] == "ldmatrix";
  const std::string count = d.among("x1 x2 x4");
  set_space(d, false);
  d.i.inverted = d.has("trans");
  d.i.vector = static_cast<u8>(count.empty() ? 0 : count[1] - '0');
  d.i.bytes = 2;
  const std::string& braces = d.arguments[load ? 0 : 1];
  const auto names =
      split(braces.starts_with('{') ? braces.substr(1, braces.size() - 2) : braces, ',');
  if (!load) d.address(d.arguments[0]);
  for (const std::string& name : names) load ? d.out(name, Type::kB32) : d.in(name, Type::kB32);
  if (load) d.address(d.arguments[1]);
  if (names.size() != d.i.vector) d.fail("expected a register for each tile");
  if (d.i.space == Space::kShared && d.has("m8n8") && d.type() == Type::kB16)
    d.i.step = load ? load_step : store_step;
}

constexpr const char* kModifiers = "sync aligned m8n8 x1 x2 x4 trans shared shared::cta";

}  // namespace

const Rows& matrix_rows() {
  static const Rows rows = {{"ldmatrix", kModifiers, build}, {"stmatrix", kModifiers, build}};
  return rows;
}

}  // namespace ptx
