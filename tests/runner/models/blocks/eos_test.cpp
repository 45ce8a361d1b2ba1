// The parts of a code against their equations, head by head and step by step.
#include "runner/models/blocks/eos.h"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "runner/systems/blocks.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/message_of.h"
#include "tests/runner/models/blocks/plain_block.h"

namespace runner {

using at::Tensor;
using ets::relative_error;

TEST(EosBlock, WithoutPartsItIsTheLayerOfTheCode) {
  const Plain p{{"eos", {"code=1-9-1-4", "k=6"}}};
  const Tensor mine = EosLayer(*parts_of(p.v))(p.w, p.x, {}).output;
  const Tensor layer = lcsm::Layer(parts_of(p.v)->variant)(p.w, p.x).output;
  EXPECT_LE(relative_error(mine, layer), 1e-14);
  EXPECT_TRUE(parts_of(p.v)->is_plain());
}

// Code 1-3-1-0 in two heads with every part, computed by its equations.
TEST(EosBlock, EveryPartIsWhatItsEquationSays) {
  const Plain p{{"eos",
                 {"k=6", "heads=2", "conv=3", "qk_norm=l2", "head_norm=rms", "output_gate=silu",
                  "bonus=true", "scale=true"}}};
  Memory m{2, 3, 4};
  std::vector<Row> expected;
  for (std::int64_t t = 0; t < p.T; ++t) {
    const Row x = p.row(t), gate = p.project("gate", x), o = p.project("oscillation.p_k", x);
    const Row i = p.convolved("input", t), e = l2(p.convolved("expand", t), 2),
              s = l2(p.convolved("shrink", t), 2);
    Row y(8);
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t d = 0; d < 4; ++d) {
          const std::size_t row = h * 3 + k, column = h * 4 + d;
          double& cell = m.at(h, k, d);
          cell = std::pow(sigmoid(o[row]), 1.0 / 16) * cell + e[row] * i[column];
          const double u = p.at("bonus", static_cast<std::int64_t>(row));
          y[column] += s[row] / std::sqrt(3) * (cell + u * e[row] * i[column]);
        }
    y = p.rms(y, 2);
    for (std::size_t d = 0; d < 8; ++d) y[d] *= silu(gate[d]);
    expected.push_back(p.project("output", y));
  }
  p.expect(expected);
}

TEST(EosBlock, RefusesWhatDoesNotFit) {
  const auto error = [](const BlockCase& c) {
    return message_of<std::invalid_argument>([&] { c.variant(); });
  };
  EXPECT_EQ(error({"eos", {"k=6", "heads=3"}}), "eos: heads: expected a divisor of d = 8, got 3");
  EXPECT_EQ(error({"eos", {"k=6", "heads=4"}}), "eos: heads: expected a divisor of k = 6, got 4");
  EXPECT_NE(error({"eos", {"code=0-3-1-0", "qk_norm=l2"}}).find("static e"), std::string::npos);
  EXPECT_NE(error({"eos", {"code=1-3-0-0", "bonus=true"}}).find("static s"), std::string::npos);
  EXPECT_NE(error({"tnl", {"layer=2", "layers=2"}}).find("less than layers = 2"),
            std::string::npos);
}

}  // namespace runner
