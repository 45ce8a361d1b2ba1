// A sum over blocks as nvcc compiles it, with and without planted faults.
#include <cmath>

#include "tests/ptx/tests/compiled.h"

namespace ptx {
namespace {

class Reduce : public Compiled {
 protected:
  Report launch(const std::string& kernel, int orders = 1) {
    program = load_program(compiled_file("reduce"), memory);
    std::vector<float> values(3 * 1000);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k % 7);
    const Array<float> numbers(memory, "numbers", values);
    sums = memory.allocate("sums", 3 * sizeof(float));
    return run_in_orders(program, memory,
                         {kernel, {3, 1, 1}, {128, 1, 1}, 0, {numbers, sums, 1000, 2}}, orders);
  }
  // The source of a finding, where nvcc told it.
  void expect_found(const std::string& kernel, Fault fault, const std::string& line) {
    const Report report = launch(kernel);
    ASSERT_NE(report.find(fault), nullptr) << report.text();
    EXPECT_NE(report.text().find("reduce.cu:" + line), std::string::npos) << report.text();
    EXPECT_EQ(report.find(fault)->kernel, kernel);
  }
  Program program;
  u64 sums = 0;
};

TEST_F(Reduce, SoundSumsAreRightInEveryOrder) {
  LCSM_NEED_PTX("reduce");
  EXPECT_EQ(launch("sum_sound", 5).text(), "");
  float got[3];
  memory.read(sums, got, sizeof got);
  for (int block = 0; block < 3; ++block) {
    float expected = 0;
    for (int k = 0; k < 1000; ++k) expected += static_cast<float>((1000 * block + k) % 7);
    EXPECT_EQ(got[block], 2 * expected);  // small whole numbers: exact
  }
}

TEST_F(Reduce, PlantedFaultsAreFoundInTheirLine) {
  LCSM_NEED_PTX("reduce");
  expect_found("sum_no_barrier", Fault::kRace, "25");
  expect_found("sum_divergent", Fault::kDivergence, "20");
  expect_found("sum_beyond", Fault::kOutOfBounds, "16");
}

// The result is right in this order of warps: only the check finds the fault.
TEST_F(Reduce, TheMissingLastBarrierIsFound) {
  LCSM_NEED_PTX("reduce");
  expect_found("sum_no_last_barrier", Fault::kRace, "18");
}

TEST_F(Reduce, CountsAreExact) {
  LCSM_NEED_PTX("reduce");
  const Report report = launch("sum_sound");
  EXPECT_EQ(report.counts.blocks, 3u);
  EXPECT_EQ(report.counts.by_opcode.at("shfl.sync.bfly.b32"),
            3u * 4 * 2 * 5);  // blocks, warps, rounds, steps
  EXPECT_EQ(report.counts.by_opcode.at("bar.sync"), 3u * 4 * 2 * 2);
  EXPECT_EQ(report.counts.global_read.bytes, 3u * 1000 * 2 * sizeof(float));
  EXPECT_EQ(report.counts.global_write.bytes, 3u * sizeof(float));
  EXPECT_EQ(2 * report.counts.read_once, report.counts.global_read.used) << "two rounds";
  EXPECT_EQ(report.counts.written_once, 1u);
  EXPECT_EQ(report.counts.shared.used, report.counts.shared.ideal);
}

TEST_F(Reduce, TilesOfCooperativeGroups) {
  LCSM_NEED_PTX("reduce");
  program = load_program(compiled_file("reduce"), memory);
  std::vector<float> values(256);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  const Array<float> numbers(memory, "numbers", values), of_tiles(memory, "of_tiles", 32);
  const Array<double> total(memory, "total", {0.0});
  EXPECT_EQ(run_in_orders(program, memory,
                          {"sum_tiles", {2, 1, 1}, {128, 1, 1}, 0, {numbers, of_tiles, total}}, 4)
                .text(),
            "");
  EXPECT_EQ(of_tiles.get()[31], 8 * 251.5f);
  EXPECT_EQ(total.get()[0], 255 * 128.0);
}

}  // namespace
}  // namespace ptx
