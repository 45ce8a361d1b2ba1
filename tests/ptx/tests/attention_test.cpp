// A chunked linear attention on tensor cores against a float64 loop, with and without planted
// faults.
#include <cmath>
#include <random>

#include "tests/ptx/tests/compiled.h"

namespace ptx {
namespace {

constexpr int kSize = 64, kHeads = 2;

std::vector<u16> random_brains(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 0.3);
  std::vector<u16> values(count);
  for (u16& value : values) value = bf16_of(normal(random));
  return values;
}

class Attention : public Compiled {
 protected:
  Report launch(const std::string& kernel, int chunks, int orders = 1, Options options = {},
                int size = kSize + 8) {
    const std::size_t count = static_cast<std::size_t>(kHeads * chunks * kSize) * kSize;
    const Program program = load_program(compiled_file("attention"), memory);
    q = random_brains(count, 1);
    k = random_brains(count, 2);
    v = random_brains(count, 3);
    const Array<u16> qs(memory, "q", q), ks(memory, "k", k), vs(memory, "v", v);
    const Array<float> rates(memory, "log2_decay", {-0.01f, -0.3f}), out(memory, "y", count);
    for (const u64 address : {qs.address(), ks.address(), vs.address()}) memory.protect(address);
    const Launch each = {kernel,
                         {kHeads, 1, 1},
                         {128, 1, 1},
                         static_cast<u64>(9 * kSize * size * 2),
                         {qs, ks, vs, rates, out, chunks}};
    const Report report = run_in_orders(program, memory, each, orders, options);
    y = out.get();
    return report;
  }

  // The relative error of y, in the mean of squares.
  double error(int chunks) const {
    double difference = 0, scale = 0;
    const auto size = static_cast<std::size_t>(kSize),
               steps = static_cast<std::size_t>(chunks) * size;
    for (std::size_t head = 0; head < kHeads; ++head) {
      const double decay = std::exp2(static_cast<double>(head == 0 ? -0.01f : -0.3f));
      std::vector<double> m(size * size);
      for (std::size_t t = head * steps; t < (head + 1) * steps; ++t)
        for (std::size_t d = 0; d < size; ++d) {
          double sum = 0;
          for (std::size_t e = 0; e < size; ++e) {
            double& state = m[e * size + d];
            state =
                decay * state + double{of_bf16(k[t * size + e])} * double{of_bf16(v[t * size + d])};
            sum += double{of_bf16(q[t * size + e])} * state;
          }
          const double got = static_cast<double>(y[t * size + d]);
          difference += (got - sum) * (got - sum);
          scale += sum * sum;
        }
    }
    return std::sqrt(difference / scale);
  }
  std::vector<u16> q, k, v;
  std::vector<float> y;
};

// States, keys and scores are rounded to bf16 (2^-9) before they are multiplied: a few of those.
constexpr double kBound = 5e-3;

TEST_F(Attention, IsThatOfTheLoopInEveryOrder) {
  LCSM_NEED_PTX("attention");
  const Report report = launch("attend_sound", 3, 3);
  EXPECT_EQ(report.text(), "");
  EXPECT_LT(error(3), kBound);
  EXPECT_EQ(report.counts.shared.used, report.counts.shared.ideal) << "bank conflicts";
  EXPECT_EQ(report.counts.global_read.used, report.counts.global_read.ideal);
  EXPECT_EQ(report.counts.by_opcode.at("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            2u * 3 * 4 * 4 * 32);
}

TEST_F(Attention, DoesNotDependOnHowExponentialsAreRounded) {
  LCSM_NEED_PTX("attention");
  Options options;
  options.ulps = 2;
  EXPECT_EQ(launch("attend_sound", 2, 1, options).text(), "");
  EXPECT_LT(error(2), kBound);
  const std::vector<float> perturbed = y;
  launch("attend_sound", 2);
  EXPECT_NE(y, perturbed);
}

TEST_F(Attention, PlantedFaultsAreFound) {
  LCSM_NEED_PTX("attention");
  EXPECT_NE(launch("attend_no_barrier", 2).find(Fault::kRace), nullptr);
  const Report early = launch("attend_no_wait", 2);
  ASSERT_NE(early.find(Fault::kInFlight), nullptr) << early.text();
  EXPECT_NE(early.find(Fault::kInFlight)->text.find("attention.cu:"), std::string::npos);
  const Report last = launch("attend_no_last_barrier", 3);
  ASSERT_NE(last.find(Fault::kRace), nullptr) << last.text();
  EXPECT_LT(error(3), kBound) << "only the check sees it";
}

TEST_F(Attention, SwappedOperandsGiveAnotherResult) {
  LCSM_NEED_PTX("attention");
  EXPECT_EQ(launch("attend_swapped", 1).text(), "");
  EXPECT_GT(error(1), 100 * kBound);
}

// Rows of 128 bytes begin in one bank, so the eight rows of a tile are served in sequence.
TEST_F(Attention, MissingPaddingIsCounted) {
  LCSM_NEED_PTX("attention");
  const Report report = launch("attend_no_padding", 1, 1, {}, kSize);
  EXPECT_EQ(report.text(), "");
  EXPECT_LT(error(1), kBound);
  EXPECT_GT(report.counts.shared.used, 5 * report.counts.shared.ideal);
  for (const LineCounts& line : report.counts.lines) {
    if (!line.text.starts_with("ldmatrix")) continue;
    EXPECT_EQ(line.shared.used, 8 * line.shared.ideal) << line.line << " " << line.source;
  }
}

}  // namespace
}  // namespace ptx
