#include "tests/lcsm/layer/layer_cases.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "lcsm/base/random.h"

namespace lcsm {
namespace {

const Catalogue& catalogue() {
  static const Catalogue all;
  return all;
}

}  // namespace

Variant small_variant(const std::string& code, const Sizes& sizes) {
  return make_variant(parse_code(code, catalogue()), catalogue(), sizes);
}

std::vector<std::string> row_codes() {
  std::vector<std::string> codes;
  for (const Oscillation& row : catalogue().all()) {
    if (row.whole) {
      codes.push_back(row.name);
      continue;
    }
    const std::size_t before = codes.size();
    for (const char* form : {"1-%-1-4", "0-%-1-2", "1-%-0-7", "0-%-0-0"}) {
      std::string code = form;
      code.replace(2, 1, row.name);
      try {
        parse_code(code, catalogue());
        codes.push_back(code);
      } catch (const CodeError&) {
      }
    }
    EXPECT_GT(codes.size(), before) << row.name;
    if (row.fixed) codes.push_back("1-" + row.name + "-1-0@o=fixed");
    for (const Oscillation& form : row.forms)
      codes.push_back(
          (codes.size() % 2 == 0 ? "1-" + row.name + "-1-0" : "0-" + row.name + "-0-0") +
          "@form=" + form.form);
  }
  return codes;
}

at::Tensor random_input(std::int64_t B, std::int64_t T, std::int64_t D, std::uint64_t seed) {
  Random random(seed);
  at::Tensor x = at::empty({B, T, D}, at::kDouble);
  double* const out = x.mutable_data_ptr<double>();
  for (std::int64_t n = 0; n < x.numel(); ++n) out[n] = random.normal();
  return x;
}

void expect_gradients(const std::function<at::Tensor()>& loss,
                      const std::map<std::string, at::Tensor>& inputs, double h, double tolerance) {
  std::vector<at::Tensor> wanted;
  for (const auto& [name, tensor] : inputs) wanted.push_back(tensor);
  const auto gradients = torch::autograd::grad({loss()}, wanted, {}, false, false, true);
  const at::NoGradGuard none;
  std::size_t at = 0;
  for (const auto& [name, tensor] : inputs) {
    const at::Tensor gradient =
        gradients[at].defined() ? gradients[at].contiguous() : gradients[at];
    ++at;
    double* const entry = tensor.mutable_data_ptr<double>();
    for (std::int64_t n = 0; n < tensor.numel(); ++n) {
      const double value = entry[n];
      entry[n] = value + h;
      const double up = loss().item<double>();
      entry[n] = value - h;
      const double down = loss().item<double>();
      entry[n] = value;
      const double numerical = (up - down) / (2 * h);
      const double exact = gradient.defined() ? gradient.const_data_ptr<double>()[n] : 0;
      ASSERT_NEAR(exact, numerical, tolerance * (1 + std::abs(numerical)))
          << name << "[" << n << "]";
    }
  }
}

}  // namespace lcsm
