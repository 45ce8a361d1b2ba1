// S5: one state space with many inputs and outputs.
#include <array>
#include <cmath>
#include <stdexcept>

#include "ets/families/complex.h"
#include "ets/families/diagonal.h"
#include "ets/families/family.h"
#include "ets/families/hippo.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kS5Options = {
    lcsm::flag("bidirectional", false, "a second shrink over later steps, with the same rates"),
    lcsm::integer("modes", "64", 1, "complex modes of the one state", "rate", 0),
    lcsm::integer("blocks", "1", 1, "equal HiPPO blocks of the initial rates"),
    lcsm::flag("conjugate", true, "half of the modes are stored, the others are their conjugates"),
    lcsm::flag("clip", false, "keeps the real parts of the rates at -0.0001 at most"),
    lcsm::word("discretization", "zoh bilinear", "zoh", "zero-order hold or bilinear"),
    lcsm::word("start", "truncated lecun complex", "truncated",
               "the initial shrink, as S5 names it"),
    kStepMin,
    kStepMax,
    lcsm::word(
        "output", "none gelu half_glu1 half_glu2 full_glu", "none",
        "after the shortcut: nothing, GELU, or GELU and a gate on its output, on its input, or "
        "on a projection of its output"),
    kReplay,
    kReplayTaps,
    kReplayBias,
    kReplayPad,
};

// One block of the first rates, and of V: n numbers, of which the first `kept` modes are stored.
struct HippoBlock {
  const Hippo& hippo;
  std::int64_t kept = 0;
};

HippoBlock block_of(const lcsm::Block& v) {
  const std::int64_t kept = v.options.integer("modes") / v.options.integer("blocks");
  return {hippo(v.options.flag("conjugate") ? 2 * kept : kept), kept};
}

// Within two standard deviations, so scaled that the variance is 1.
double truncated_normal(lcsm::Random& random) {
  constexpr double kSpread = 0.87962566103423978;  // of what is left of a normal variable
  double value = random.normal();
  while (std::abs(value) > 2) value = random.normal();
  return value / kSpread;
}

// V^* B for B [n blocks, D].
lcsm::Values first_expand(const lcsm::Block& v, std::uint64_t seed) {
  const HippoBlock block = block_of(v);
  const std::int64_t n = block.hippo.n, J = v.options.integer("blocks");
  lcsm::Random random = lcsm::random_for(seed, "expand");
  lcsm::Values b(static_cast<std::size_t>(J * n * v.d));
  for (double& value : b) value = truncated_normal(random) / std::sqrt(static_cast<double>(J * n));
  std::vector<Complex> out;
  for (std::int64_t j = 0; j < J; ++j)
    for (std::int64_t mode = 0; mode < block.kept; ++mode)
      for (std::int64_t d = 0; d < v.d; ++d) {
        Complex sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
          sum += std::conj(block.hippo.vector(i, mode)) *
                 b[static_cast<std::size_t>((j * n + i) * v.d + d)];
        out.push_back(sum);
      }
  return interleaved(out);
}

// C V for C [n blocks] of every direction and output.
lcsm::Values first_shrink_s5(const lcsm::Block& v, std::uint64_t seed) {
  lcsm::Random random = lcsm::random_for(seed, "shrink");
  const std::int64_t rows = v.directions() * v.d;
  std::vector<Complex> out;
  if (v.options.text("start") == "complex") {
    for (std::int64_t i = 0; i < rows * v.options.integer("modes"); ++i) {
      const double real = random.normal();
      out.push_back(std::sqrt(0.5) * Complex(real, random.normal()));
    }
    return interleaved(out);
  }
  const HippoBlock block = block_of(v);
  const std::int64_t n = block.hippo.n, J = v.options.integer("blocks");
  const auto inputs = static_cast<double>(J * n * (v.options.text("start") == "lecun" ? v.d : 1));
  std::vector<Complex> c(static_cast<std::size_t>(n));
  for (std::int64_t row = 0; row < rows * J; ++row) {
    for (Complex& entry : c) {
      const double real = truncated_normal(random);
      entry = Complex(real, truncated_normal(random)) / std::sqrt(inputs);
    }
    for (std::int64_t mode = 0; mode < block.kept; ++mode) {
      Complex sum = 0;
      for (std::int64_t i = 0; i < n; ++i)
        sum += c[static_cast<std::size_t>(i)] * block.hippo.vector(i, mode);
      out.push_back(sum);
    }
  }
  return interleaved(out);
}

// Adds a linear layer that starts like the authors': NAME.weight normal / sqrt(inputs), truncated
// at two deviations, and NAME.bias 0.
void put_dense(const std::string& name, std::int64_t d, lcsm::BlockTensors* tensors) {
  const double spread = 1 / std::sqrt(static_cast<double>(d));
  tensors->put_around(
      name + ".weight", {d, d}, Group::kMatrices,
      [spread](lcsm::Random& random) { return spread * truncated_normal(random); },
      "normal / sqrt(inputs) within 2 deviations");
  tensors->put_around(
      name + ".bias", {d}, Group::kNorm, [](lcsm::Random&) { return 0; }, "0");
}

lcsm::Parameters tensors_of_s5(const lcsm::Block& v) {
  const std::int64_t G = v.directions(), M = v.options.integer("modes");
  const HippoBlock block = block_of(v);
  std::vector<Complex> rates(block.hippo.rates.begin(), block.hippo.rates.begin() + block.kept);
  lcsm::BlockTensors tensors;
  tensors.put_rows("rate", {M, 2}, Group::kGate, "HiPPO, block by block", interleaved(rates));
  tensors.put_step(v.options, "log_step", {M});
  tensors.put("expand", {M, v.d, 2}, Group::kGate,
              "V^* B, B normal / sqrt(size) within 2 deviations",
              [v](std::uint64_t seed) { return first_expand(v, seed); });
  tensors.put("shrink", {G, v.d, M, 2}, Group::kMatrices, "C V, C by the option start",
              [v](std::uint64_t seed) { return first_shrink_s5(v, seed); });
  tensors.put_skip(v.d);
  const std::string& output = v.options.text("output");
  if (output == "full_glu") put_dense("output", v.d, &tensors);
  if (output.find("_glu") != std::string::npos) put_dense("gate", v.d, &tensors);
  put_replay(v, &tensors);
  return tensors.take();
}

void check_blocks(const lcsm::Block& v) {
  const std::int64_t M = v.options.integer("modes"), J = v.options.integer("blocks");
  if (M % J != 0)
    throw std::invalid_argument("s5: option 'blocks': expected a divisor of the " +
                                std::to_string(M) + " modes, got " + std::to_string(J));
}

}  // namespace

const lcsm::BlockRow kS5 = {"s5",
                            "one state space with many inputs and outputs",
                            lcsm::Lag::kZero,
                            kS5Options,
                            tensors_of_s5,
                            check_blocks};

}  // namespace ets
