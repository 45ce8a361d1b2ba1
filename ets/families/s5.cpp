#include "ets/families/s5.h"

#include <cmath>
#include <stdexcept>

#include "ets/families/complex.h"
#include "ets/families/hippo.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

// One block of the initial rates and of V: n modes, of which the first `kept` are stored.
struct HippoBlock {
  const Hippo& hippo;
  std::int64_t kept = 0;
};

HippoBlock block_of(const S5& s) {
  const std::int64_t kept = s.modes / s.blocks;
  return {hippo(s.conjugate ? 2 * kept : kept), kept};
}

// A normal variable truncated at two standard deviations, scaled to variance 1.
double truncated_normal(lcsm::Random& random) {
  constexpr double kSpread = 0.87962566103423978;  // standard deviation when truncated
  double value = random.normal();
  while (std::abs(value) > 2) value = random.normal();
  return value / kSpread;
}

// V^* B for B [n blocks, D].
lcsm::Values first_expand(const S5& s, std::int64_t width, std::uint64_t seed) {
  const HippoBlock block = block_of(s);
  const std::int64_t n = block.hippo.n, J = s.blocks;
  lcsm::Random random = lcsm::random_for(seed, "expand");
  lcsm::Values b(static_cast<std::size_t>(J * n * width));
  for (double& value : b) value = truncated_normal(random) / std::sqrt(static_cast<double>(J * n));
  std::vector<Complex> out;
  for (std::int64_t j = 0; j < J; ++j)
    for (std::int64_t mode = 0; mode < block.kept; ++mode)
      for (std::int64_t d = 0; d < width; ++d) {
        Complex sum = 0;
        for (std::int64_t i = 0; i < n; ++i)
          sum += std::conj(block.hippo.vector(i, mode)) *
                 b[static_cast<std::size_t>((j * n + i) * width + d)];
        out.push_back(sum);
      }
  return interleaved(out);
}

// C V for C [n blocks] of every direction and output.
lcsm::Values first_shrink_s5(const S5& s, std::int64_t width, std::uint64_t seed) {
  lcsm::Random random = lcsm::random_for(seed, "shrink");
  const std::int64_t rows = s.directions() * width;
  std::vector<Complex> out;
  if (s.start == "complex") {
    for (std::int64_t i = 0; i < rows * s.modes; ++i) {
      const double real = random.normal();
      out.push_back(std::sqrt(0.5) * Complex(real, random.normal()));
    }
    return interleaved(out);
  }
  const HippoBlock block = block_of(s);
  const std::int64_t n = block.hippo.n, J = s.blocks;
  const auto inputs = static_cast<double>(J * n * (s.start == "lecun" ? width : 1));
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

// Adds a linear layer with the authors' initial values: NAME.weight normal / sqrt(inputs),
// truncated at two deviations, and NAME.bias 0.
void put_dense(const std::string& name, std::int64_t d, lcsm::BlockTensors* tensors) {
  const double spread = 1 / std::sqrt(static_cast<double>(d));
  tensors->put_around(
      name + ".weight", {d, d}, Group::kMatrices,
      [spread](lcsm::Random& random) { return spread * truncated_normal(random); },
      "normal / sqrt(inputs) within 2 deviations");
  tensors->put_around(
      name + ".bias", {d}, Group::kNorm, [](lcsm::Random&) { return 0; }, "0");
}

}  // namespace

lcsm::Parameters S5::tensors(std::int64_t d) const {
  const std::int64_t G = directions(), M = modes;
  const HippoBlock block = block_of(*this);
  std::vector<Complex> rates(block.hippo.rates.begin(), block.hippo.rates.begin() + block.kept);
  lcsm::BlockTensors tensors;
  tensors.put_rows("rate", {M, 2}, Group::kGate, "HiPPO, block by block", interleaved(rates));
  tensors.put_step({step_min, step_max}, "log_step", {M});
  tensors.put("expand", {M, d, 2}, Group::kGate, "V^* B, B normal / sqrt(size) within 2 deviations",
              [s = *this, d](std::uint64_t seed) { return first_expand(s, d, seed); });
  tensors.put("shrink", {G, d, M, 2}, Group::kMatrices, "C V, C by the option start",
              [s = *this, d](std::uint64_t seed) { return first_shrink_s5(s, d, seed); });
  tensors.put_skip(d);
  if (output == "full_glu") put_dense("output", d, &tensors);
  if (output.text().find("_glu") != std::string_view::npos) put_dense("gate", d, &tensors);
  put_replay(d, &tensors);
  return tensors.take();
}

void S5::check(std::int64_t) const {
  if (modes % blocks != 0)
    throw std::invalid_argument("s5: option 'blocks': expected a divisor of the " +
                                std::to_string(modes) + " modes, got " + std::to_string(blocks));
}

lcsm::Mixing S5::mixing(std::int64_t d, double) const {
  const double N = lcsm::real(modes), width = lcsm::real(d);
  return with_replay(
      d, {"one scan for all channels", (8 * N * width + 8 * N) * lcsm::real(directions()), 2 * N});
}

}  // namespace ets
