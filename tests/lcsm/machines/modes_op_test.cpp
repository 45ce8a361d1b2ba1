// The sum of modes against a plain loop over time in complex tensor operations, under autograd.
#include "lcsm/machines/modes_op.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <hwy/base.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <cmath>
#include <optional>

#include "lcsm/measure/peak_memory.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm {
namespace {

using at::Tensor;
using Named = std::map<std::string, Tensor>;

struct Case {
  std::int64_t B = 2, T = 7, N = 3, D = 5;
  bool is_complex = true, continues = false;
  std::vector<std::pair<bool, bool>> directions = {{false, false}};  // back, late
  at::ScalarType dtype = at::kDouble;
};

Tensor real_or_complex(std::int64_t a, std::int64_t b, std::int64_t c, bool is_complex,
                       std::uint64_t seed) {
  const Tensor re = random_input(a, b, c, seed);
  return is_complex ? at::complex(re, random_input(a, b, c, seed + 1)) : re;
}

// Magnitudes from 0.3 to 0.99, real ones of both signs.
Tensor gates(const Case& c, std::uint64_t seed) {
  const Tensor size = 0.3 + 0.69 * random_input(1, c.N, c.D, seed)[0].sigmoid();
  const Tensor angle = 2 * random_input(1, c.N, c.D, seed + 1)[0];
  return c.is_complex ? at::polar(size, angle) : size * angle.sign();
}

struct Inputs {
  Tensor x;
  std::vector<Direction> directions;
};

Inputs modes_op_inputs_of(const Case& c) {
  Inputs in{random_input(c.B, c.T, c.D, 1).to(c.dtype), {}};
  std::uint64_t seed = 10;
  for (const auto& [back, late] : c.directions) {
    in.directions.push_back(
        {gates(c, seed), real_or_complex(1, c.N, c.D, c.is_complex, seed + 2)[0], {}, back, late});
    if (c.continues)
      in.directions.back().u = real_or_complex(c.B, c.N, c.D, c.is_complex, seed + 4);
    seed += 10;
  }
  return in;
}

// The definition.
Tensors loop(const Tensor& x, const std::vector<Direction>& directions) {
  const std::int64_t T = x.size(1);
  Tensors results{at::zeros_like(x)};
  for (const Direction& each : directions) {
    Tensor u = each.u.defined()
                   ? each.u
                   : at::zeros({x.size(0), each.q.size(0), x.size(2)}, each.q.options());
    Tensors rows(static_cast<std::size_t>(T));
    for (std::int64_t n = 0; n < T; ++n) {
      const std::int64_t t = each.back ? T - 1 - n : n;
      const Tensor before = u;
      u = each.q * u + x.select(1, t).unsqueeze(1);
      const Tensor read = (each.c * (each.late ? before : u)).sum(1);
      rows[static_cast<std::size_t>(t)] = read.is_complex() ? at::real(read) : read;
    }
    results[0] = results[0] + at::stack(rows, 1);
    results.push_back(u);
  }
  return results;
}

Named everything(const Inputs& given, bool by_definition = false) {
  Named leaves;
  const auto leaf = [&](const std::string& name, const Tensor& tensor) {
    return tensor.defined() ? leaves["d " + name] = tensor.detach().clone().requires_grad_()
                            : tensor;
  };
  Inputs in{leaf("x", given.x), given.directions};
  for (std::size_t n = 0; n < in.directions.size(); ++n) {
    Direction& each = in.directions[n];
    const std::string number = std::to_string(n);
    each.q = leaf("q" + number, each.q);
    each.c = leaf("c" + number, each.c);
    each.u = leaf("u" + number, each.u);
  }
  const Tensors out =
      by_definition ? loop(in.x, in.directions) : modes_machine(in.x, in.directions);
  Named all{{"y", out[0].detach()}};
  const auto put = [&](const std::string& name, const Tensor& tensor) {
    all[name] = tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor;
  };
  const auto& shape = out[0].sizes();
  Tensor loss = (out[0].to(at::kDouble) * random_input(shape[0], shape[1], shape[2], 7)).sum();
  for (std::size_t n = 1; n < out.size(); ++n) {
    const auto& u = out[n].sizes();
    const Tensor weight = real_or_complex(u[0], u[1], u[2], out[n].is_complex(), 70 + n);
    const Tensor product = (out[n] * weight).sum();
    loss = loss + (product.is_complex() ? at::real(product) : product);
    put("u" + std::to_string(n), out[n].detach());
  }
  Tensors wanted;
  for (const auto& [name, tensor] : leaves) wanted.push_back(tensor);
  const auto gradients = torch::autograd::grad({loss}, wanted);
  std::size_t n = 0;
  for (const auto& [name, tensor] : leaves) put(name, gradients[n++]);
  return all;
}

void expect_equal_to_the_loop(const Case& c, double tolerance) {
  const Inputs in = modes_op_inputs_of(c);
  expect_near(everything(in), everything(in, true), tolerance);
}

// Forward, back, late, and the two pairs that families of both directions use.
const std::vector<std::vector<std::pair<bool, bool>>> kDirections = {
    {{false, false}},
    {{true, false}},
    {{false, true}},
    {{true, true}},
    {{false, false}, {true, true}},
    {{false, false}, {true, false}}};

}  // namespace

// 1e-11: sums over a few hundred terms.
TEST(Modes, EqualTheLoop) {
  for (const bool is_complex : {false, true})
    for (const auto& directions : kDirections)
      for (const bool continues : {false, true})
        for (const std::int64_t T : {1, 2, 7, 63, 64, 65, 200}) {
          SCOPED_TRACE(c10::str("complex ", is_complex, ", directions ", directions.size(),
                                ", back ", directions[0].first, ", late ", directions[0].second,
                                ", T ", T));
          expect_equal_to_the_loop(
              {.T = T, .is_complex = is_complex, .continues = continues, .directions = directions},
              1e-11);
        }
}

TEST(Modes, EqualTheLoopForAnyNumberOfModesAndChannels) {
  for (const bool is_complex : {false, true})
    for (const std::int64_t N : {1, 2, 4, 7, 40})
      for (const std::int64_t D : {1, 17, 70}) {
        SCOPED_TRACE(c10::str("complex ", is_complex, ", N ", N, ", D ", D));
        expect_equal_to_the_loop({.B = 1, .T = 70, .N = N, .D = D, .is_complex = is_complex},
                                 1e-11);
      }
}

// Whole strips, of which passes write one block while they compute the next; the last block is
// shorter. Whole and partial tiles of modes.
TEST(Modes, EqualTheLoopOverManyBlocksOfWholeStrips) {
  for (const bool is_complex : {false, true})
    for (const int pair : {0, 3, 5})
      for (const auto& [N, D] : {std::pair{1, 64}, std::pair{3, 64}, std::pair{13, 144}}) {
        SCOPED_TRACE(c10::str("complex ", is_complex, ", directions ", pair, ", N ", N));
        Case c{.B = 1, .T = 590, .N = N, .D = D, .is_complex = is_complex, .continues = true};
        c.directions = kDirections[static_cast<std::size_t>(pair)];
        expect_equal_to_the_loop(c, 1e-11);
      }
}

// float32 against itself in float64: 2e-5 of the largest value, sums over 1000 steps.
TEST(Modes, Float32IsNearTheLoopInFloat64) {
  for (const bool is_complex : {false, true})
    expect_equal_to_the_loop({.T = 1000,
                              .N = 5,
                              .D = 33,
                              .is_complex = is_complex,
                              .directions = {{false, false}, {true, true}},
                              .dtype = at::kFloat},
                             2e-5);
}

TEST(Modes, StepByStepEqualsTheWholeSequence) {
  const Inputs in = modes_op_inputs_of({.T = 130, .is_complex = true});
  const Tensors whole = modes_machine(in.x, in.directions);
  Direction step = in.directions[0];
  for (std::int64_t t = 0; t < 130; ++t) {
    const Tensors out = modes_machine(in.x.narrow(1, t, 1), {step});
    EXPECT_LT((out[0] - whole[0].narrow(1, t, 1)).abs().max().item<double>(), 1e-12) << t;
    step.u = out[1];
  }
  EXPECT_LT((step.u - whole[1]).abs().max().item<double>(), 1e-12);
}

// One impulse, then 100 000 steps that only rotate. Rounding q to float32 once per step would be
// off by some 1e-3; within a block it is off by some 1e-6.
TEST(Modes, PhasesStayExactOverAHundredThousandSteps) {
  const std::int64_t T = 100'000;
  Tensor x = at::zeros({1, T, 3}, at::kFloat);
  x.select(1, 0).fill_(1);
  const Tensor angle = random_input(1, 2, 3, 5)[0] + 1.5;
  const Direction rotates{
      at::polar(at::ones({2, 3}, at::kDouble), angle),
      at::complex(at::ones({2, 3}, at::kDouble), at::zeros({2, 3}, at::kDouble))};
  const Tensors out = modes_machine(x, {rotates});
  for (const std::int64_t t : {T / 2, T - 1}) {
    const Tensor expected = (angle * static_cast<double>(t)).cos().sum(0);
    EXPECT_LT((out[0][0][t] - expected).abs().max().item<double>(), 2e-5) << t;
  }
}

// 2^-126 is the least float32 that is normal; this thread has all others again afterwards.
TEST(Modes, FlushDenormalsToZero) {
  if (!HWY_ARCH_X86) GTEST_SKIP() << "only on x86";
  Tensor x = at::zeros({1, 140, 1}, at::kFloat);
  x.select(1, 0).fill_(1);
  const Tensor half = at::full({1, 1}, 0.5, at::kDouble), one = at::ones({1, 1}, at::kDouble);
  const Tensor y = modes_machine(x, {{half, one}})[0].flatten();
  EXPECT_EQ(y[120].item<float>(), std::ldexp(1.0f, -120));
  EXPECT_EQ(y[130].item<float>(), 0);
  const Threads here(1);
  modes_machine(x, {{half, one}});
  volatile float small = std::ldexp(1.0f, -126);
  EXPECT_GT(small / 2, 0);
}

TEST(Modes, GiveTheSameBitsInEveryRun) {
  for (const int threads : {1, 2}) {
    const Threads guard(threads);
    const Inputs in = modes_op_inputs_of({.B = 3, .T = 300, .N = 4, .D = 130, .dtype = at::kFloat});
    const Named once = everything(in), again = everything(in);
    for (const auto& [name, tensor] : once) EXPECT_TRUE(tensor.equal(again.at(name))) << name;
  }
}

// Backward needs less than the size of x: u before each block.
TEST(Modes, MemoryGrowsWithStepsTimesChannels) {
  const Threads one(1);
  for (const std::int64_t N : {1, 32}) {
    Inputs in = modes_op_inputs_of({.B = 1, .T = 4096, .N = N, .D = 64, .dtype = at::kFloat});
    in.x.requires_grad_();
    in.directions[0].q.requires_grad_();
    const auto given = static_cast<std::int64_t>(in.x.nbytes());
    const PeakMemory memory;
    const Tensor y = modes_machine(in.x, in.directions)[0];
    torch::autograd::grad({y}, {in.x, in.directions[0].q}, {in.x.detach()});
    EXPECT_LE(memory.peak(), 4 * given) << "y, the gradient of x, the states; N = " << N;
  }
}

TEST(Modes, RefuseTensorsOfOtherShapes) {
  Inputs in = modes_op_inputs_of({});
  in.directions[0].c = in.directions[0].c.narrow(0, 0, 2);
  EXPECT_THROW(modes_machine(in.x, in.directions), c10::Error);
  in = modes_op_inputs_of({});
  in.directions[0].q = at::real(in.directions[0].q);
  EXPECT_THROW(modes_machine(in.x, in.directions), c10::Error);
  EXPECT_THROW(modes_machine(in.x, {}), c10::Error);
}

}  // namespace lcsm
