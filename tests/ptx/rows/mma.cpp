// mma.sync: d = a b + c of a warp. Products and sums are exact here, and rounded once at the end; a
// device rounds partial sums. Never compare bits with a device's.
#include <cstring>

#include "tests/ptx/rows/steps.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

// a is 16 x k, b k x 8, c and d 16 x 8. A register holds one number, or two of 16 bits.
struct Shape {
  const char* name;
  Type input;
  int k;
};

constexpr Shape kShapes[] = {
    {"m16n8k16", Type::kBf16, 16},
    {"m16n8k8", Type::kTf32, 8},
};

constexpr int kRows = 16, kColumns = 8, kDepth = 16;

// Truncates 32-bit numbers to tf32, as tensor cores do.
float input_of(u32 bits, int half, Type type) {
  if (type == Type::kTf32) return std::bit_cast<float>(bits & 0xffffe000u);
  return of_bf16(static_cast<u16>(bits >> 16 * half));
}

struct Tiles {
  float a[kRows][kDepth], b[kDepth][kColumns];
  double sum[kRows][kColumns];
};

// The layout of the PTX manual: lane = 4 group + member. A register of a or b holds the numbers of
// a row or column from `member` on, further registers those 8 rows below, then 4 members to the
// right.
void gather(const Instruction& i, Warp& w, const Shape& shape, Tiles& tiles) {
  const int packed = shape.input == Type::kTf32 ? 1 : 2, step = 4 * packed, deep = shape.k / step;
  for (int l = 0; l < 32; ++l) {
    const int group = l / 4, member = l % 4;
    for (int half = 0; half < packed; ++half)
      for (int d = 0; d < deep; ++d) {
        const int k = packed * member + half + step * d;
        for (int below = 0; below < 2; ++below)
          tiles.a[group + 8 * below][k] =
              input_of(w.at<u32>(i.at[4 + 2 * d + below])[l], half, shape.input);
        tiles.b[k][group] = input_of(w.at<u32>(i.at[8 + d])[l], half, shape.input);
      }
    for (int e = 0; e < 4; ++e)
      tiles.sum[group + e / 2 * 8][2 * member + e % 2] = w.at<float>(i.at[10 + e])[l];
  }
}

void scatter(const Instruction& i, Warp& w, const Tiles& tiles) {
  for (int l = 0; l < 32; ++l)
    for (int e = 0; e < 4; ++e)
      w.at<float>(i.at[e])[l] = static_cast<float>(tiles.sum[l / 4 + e / 2 * 8][l % 4 * 2 + e % 2]);
}

void product_step(const Instruction& i, Warp& w, u32 mask) {
  if (mask != kWholeWarp)
    return w.block->finding(Fault::kDivergence, i, "lanes of the warp are missing");
  const Shape& shape = kShapes[i.choice];
  Tiles tiles;
  gather(i, w, shape, tiles);
  for (int r = 0; r < kRows; ++r)
    for (int k = 0; k < shape.k; ++k) {
      const double a = tiles.a[r][k];
      for (int c = 0; c < kColumns; ++c) tiles.sum[r][c] += a * static_cast<double>(tiles.b[k][c]);
    }
  scatter(i, w, tiles);
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d0..d3}, {a0..a3}, {b0, b1}, {c0..c3};
void build(Decoder& d) {
  d.expect(4, 4);
  if (d.types.size() != 4 || d.types[0] != d.types[3] || d.types[1] != d.types[2]) return;
  if (d.types[0] != Type::kF32) return;
  for (const Shape& shape : kShapes) {
    if (!d.has(shape.name) || shape.input != d.types[1]) continue;
    const int deep = shape.k / (shape.input == Type::kTf32 ? 4 : 8);
    const int counts[] = {4, 2 * deep, deep, 4}, first[] = {0, 4, 8, 10};
    for (std::size_t k = 0; k < 4; ++k) {
      const std::string& braces = d.arguments[k];
      const auto names = split(braces.substr(1, braces.size() - 2), ',');
      if (static_cast<int>(names.size()) != counts[k])
        d.fail("expected another number of registers");
      d.i.operands = first[k];
      for (const std::string& name : names)
        k == 0 ? d.out(name, Type::kB32) : d.in(name, Type::kB32);
    }
    d.i.choice = static_cast<int>(&shape - kShapes);
    d.i.step = product_step;
  }
}

}  // namespace

const Rows& mma_rows() {
  static const Rows rows = {
      {"mma", "sync aligned m16n8k16 m16n8k8 row col", build},
  };
  return rows;
}

}  // namespace ptx
