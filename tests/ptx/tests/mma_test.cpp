// The fragments of mma and ldmatrix against an independent source: the layouts of CUTLASS's CuTe
// (include/cute/atom/mma_traits_sm80.hpp, copy_traits_sm75.hpp), copied as shapes and strides.
#include <gtest/gtest.h>

#include "tests/ptx/tests/one_statement.h"

namespace ptx {
namespace {

// A coordinate is taken apart by the shapes, the first the fastest, and summed with the strides.
struct Layout {
  std::vector<int> shapes, strides;
  int operator()(int at) const {
    int sum = 0;
    for (std::size_t k = 0; k < shapes.size(); at /= shapes[k++])
      sum += at % shapes[k] * strides[k];
    return sum;
  }
};

// lane and value -> row + rows * column, of a (m, k), b (n, k) and c (m, n).
struct Fragments {
  const char* opcode;
  int k, packed;  // depth; numbers a register
  Layout a_lanes, a_values, b_lanes, b_values;
};
const Layout kLanes16 = {{4, 8}, {32, 1}}, kSumValues = {{2, 2}, {16, 8}};

const std::vector<Fragments>& fragments() {
  static const std::vector<Fragments> rows = {
      {"m16n8k16.row.col.f32.bf16.bf16.f32",
       16,
       2,
       kLanes16,
       {{2, 2, 2}, {16, 8, 128}},
       {{4, 8}, {16, 1}},
       {{2, 2}, {8, 64}}},
      {"m16n8k8.row.col.f32.tf32.tf32.f32",
       8,
       1,
       {{4, 8}, {16, 1}},
       {{2, 2}, {8, 64}},
       {{4, 8}, {8, 1}},
       {{2}, {32}}},
  };
  return rows;
}

std::string registers(const char* name, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += (k == 0 ? "{%" : ", %") + (name + std::to_string(k));
  return text + "}";
}

// Loads `count` registers of the lane from [%rdN + 16 lane].
std::string loads(const char* name, int count, const char* from) {
  std::string text = std::string("add.u64 %rd9, %rd8, ") + from + ";\n";
  for (int k = 0; k < count; ++k)
    text += "ld.global.b32 %" + (name + std::to_string(k)) + ", [%rd9+" + std::to_string(4 * k) +
            "];\n";
  return text;
}

std::string product_kernel(const Fragments& row) {
  const int a = 16 * row.k / 32 / row.packed, b = a / 2;
  std::string text = ".reg .b32 %a<4>, %b<2>; .reg .f32 %d<4>; mul.wide.u32 %rd8, %r9, 16;\n";
  text += loads("a", a, "%rd0") + loads("b", b, "%rd1");
  for (int k = 0; k < 4; ++k) text += "mov.f32 %d" + std::to_string(k) + ", 0f3F800000;\n";  // + 1
  text += std::string("mma.sync.aligned.") + row.opcode + " " + registers("d", 4) + ", " +
          registers("a", a) + ", " + registers("b", b) + ", " + registers("d", 4) +
          ";\nadd.u64 %rd9, %rd8, %rd2;\n";
  return text + "st.global.v4.f32 [%rd9], {%d0, %d1, %d2, %d3};";
}

u32 encoded(int value, const Fragments& row) {
  return row.packed == 1 ? std::bit_cast<u32>(static_cast<float>(value)) : bf16_of(value);
}

// Four registers a lane; value v of the lane lies in register v / packed.
std::vector<u32> spread(const std::vector<int>& matrix, const Layout& of_lane,
                        const Layout& of_value, int count, const Fragments& row) {
  std::vector<u32> words(128);
  for (int lane = 0; lane < 32; ++lane)
    for (int v = 0; v < count; ++v)
      words[static_cast<std::size_t>(4 * lane + v / row.packed)] |=
          encoded(matrix[static_cast<std::size_t>(of_lane(lane) + of_value(v))], row)
          << 16 * (v % row.packed);
  return words;
}

void expect_product(const Fragments& row) {
  Memory memory;
  const Program program = read_program("mma_test", module_of(product_kernel(row)), memory);
  std::vector<int> a(static_cast<std::size_t>(16 * row.k)), b(static_cast<std::size_t>(8 * row.k));
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = static_cast<int>(k * 7 % 23) - 11;  // exact in every format
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = static_cast<int>(k * 5 % 19) - 9;
  const int values = 16 * row.k / 32;
  const Array<u32> as(memory, "a", spread(a, row.a_lanes, row.a_values, values, row));
  const Array<u32> bs(memory, "b", spread(b, row.b_lanes, row.b_values, values / 2, row));
  const Array<float> out(memory, "d", 128);
  EXPECT_EQ(run(program, memory, {"k", {}, {32, 1, 1}, 0, {as, bs, out}}).text(), "");
  const std::vector<float> got = out.get();
  for (int lane = 0; lane < 32; ++lane)
    for (int v = 0; v < 4; ++v) {
      const int at = kLanes16(lane) + kSumValues(v), m = at % 16, n = at / 16;
      int sum = 1;
      for (int k = 0; k < row.k; ++k)
        sum += a[static_cast<std::size_t>(m + 16 * k)] * b[static_cast<std::size_t>(n + 8 * k)];
      EXPECT_EQ(got[static_cast<std::size_t>(4 * lane + v)], static_cast<float>(sum))
          << row.opcode << " " << m << " " << n;
    }
}

// 32 rows of 16 bytes in shared memory, number n of them holding n; lane l names row l.
std::vector<u32> through_matrix(const std::string& body) {
  Memory memory;
  const Program program =
      read_program("ldmatrix",
                   module_of("shl.b32 %r8, %r9, 4; mul.wide.u32 %rd8, %r9, 16; add.u64 %rd9, %rd8, "
                             "%rd0; add.u64 %rd10, %rd8, %rd1;\n"
                             "mov.u32 %r7, tile; add.u32 %r8, %r8, %r7; ld.global.v4.b32 {%r1, "
                             "%r2, %r3, %r4}, [%rd9];\n" +
                                 body + "\nst.global.v4.b32 [%rd10], {%r1, %r2, %r3, %r4};",
                             ".shared .align 16 .b8 tile[512];"),
                   memory);
  std::vector<u32> words(128);
  for (u32 k = 0; k < 128; ++k) words[k] = 2 * k | (2 * k + 1) << 16;
  const Array<u32> in(memory, "in", words), out(memory, "out", 128);
  EXPECT_EQ(run(program, memory, {"k", {}, {32, 1, 1}, 0, {in, out, u64{0}}}).text(), "");
  return out.get();
}

// In bits of a tile of 8 rows of 128: lane and bit of its register -> bit of the tile.
const Layout kLoadLanes = {{32}, {32}}, kTransposedLanes = {{4, 8}, {256, 16}};
const Layout kLoadHalves = {{2}, {16}}, kTransposedHalves = {{2}, {128}};

void expect_tiles(const std::vector<u32>& got, int tiles, const Layout& of_lane,
                  const Layout& of_half) {
  for (int lane = 0; lane < 32; ++lane)
    for (int tile = 0; tile < tiles; ++tile)
      for (int half = 0; half < 2; ++half) {
        const int number = 64 * tile + (of_lane(lane) + of_half(half)) / 16;
        const u32 word = got[static_cast<std::size_t>(4 * lane + tile)];
        EXPECT_EQ(static_cast<int>(word >> 16 * half & 0xffff), number) << lane << " " << tile;
      }
}

}  // namespace

TEST(Fragments, ProductsOfEveryShape) {
  for (const Fragments& row : fragments()) expect_product(row);
}

TEST(Fragments, LoadsOfTiles) {
  const std::string fill = "st.shared.v4.b32 [%r8], {%r1, %r2, %r3, %r4};\nbar.warp.sync -1;\n";
  const std::string load = fill + "ldmatrix.sync.aligned.m8n8.";
  expect_tiles(through_matrix(load + "x1.shared.b16 {%r1}, [%r8];"), 1, kLoadLanes, kLoadHalves);
  expect_tiles(through_matrix(load + "x2.shared.b16 {%r1, %r2}, [%r8];"), 2, kLoadLanes,
               kLoadHalves);
  expect_tiles(through_matrix(load + "x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r8];"), 4, kLoadLanes,
               kLoadHalves);
  expect_tiles(through_matrix(load + "x4.trans.shared::cta.b16 {%r1, %r2, %r3, %r4}, [%r8];"), 4,
               kTransposedLanes, kTransposedHalves);
}

TEST(Fragments, StoresAreTheInverse) {
  for (const std::string trans : {"", ".trans"}) {
    const std::string both = "stmatrix.sync.aligned.m8n8.x4" + trans +
                             ".shared.b16 [%r8], {%r1, %r2, %r3, %r4};\nbar.warp.sync -1;\n"
                             "mov.u32 %r5, %r1; ldmatrix.sync.aligned.m8n8.x4" +
                             trans + ".shared.b16 {%r1, %r2, %r3, %r4}, [%r8];";
    const auto got = through_matrix(both);
    for (u32 k = 0; k < 128; ++k) EXPECT_EQ(got[k], 2 * k | (2 * k + 1) << 16);
  }
}

}  // namespace ptx
