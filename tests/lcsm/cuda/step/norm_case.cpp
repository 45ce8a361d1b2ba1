#include "tests/lcsm/cuda/step/norm_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lcsm::test {

using std::size_t;

namespace {

constexpr double kEps = 1e-5;

Numbers or_all(const Named& given, const char* name, size_t count, double otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? Numbers(count, otherwise) : found->second;
}

}  // namespace

Named random_norm(const NormCase& c) {
  std::mt19937_64 random(static_cast<unsigned>(c.d * 7 + c.rows));
  std::normal_distribution<float> normal(0, 1);
  const auto draw = [&](size_t count, bool bfloat16, double offset = 0) {
    Numbers all;
    for (size_t n = 0; n < count; ++n)
      all.push_back(rounded(normal(random) + static_cast<float>(offset), bfloat16));
    return all;
  };
  const auto cells = static_cast<size_t>(c.rows) * static_cast<size_t>(c.d);
  Named given{{"x", draw(cells, c.bfloat16_x, c.offset)}, {"d_y", draw(cells, c.bfloat16_y)}};
  if (c.residual) given["residual"] = draw(cells, false);
  if (c.residual && c.d_sum) given["d_sum"] = draw(cells, false);
  if (!c.affine) return given;
  given["weight"] = draw(static_cast<size_t>(c.d), false, 1);
  given["bias"] = draw(static_cast<size_t>(c.d), false);
  return given;
}

Named by_definition(const NormCase& c, const Named& given) {
  const auto d = static_cast<size_t>(c.d), rows = static_cast<size_t>(c.rows), cells = d * rows;
  const Numbers weight = or_all(given, "weight", d, 1), bias = or_all(given, "bias", d, 0),
                residual = or_all(given, "residual", cells, 0),
                d_sum = or_all(given, "d_sum", cells, 0);
  const Numbers &x = given.at("x"), &d_y = given.at("d_y");
  Named out;
  for (const char* name : {"sum", "y", "d_x"}) out[name] = Numbers(cells);
  for (const char* name : {"mean", "scale"}) out[name] = Numbers(rows);
  for (const char* name : {"d_weight", "d_bias"}) out[name] = Numbers(d);
  for (size_t row = 0; row < rows; ++row) {
    const size_t first = row * d;
    double mean = 0, squares = 0, g_sum = 0, g_hat = 0;
    const auto s = [&](size_t n) { return x[first + n] + residual[first + n]; };
    for (size_t n = 0; c.centered && n < d; ++n) mean += s(n) / static_cast<double>(d);
    for (size_t n = 0; n < d; ++n) squares += (s(n) - mean) * (s(n) - mean);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(d) + kEps);
    const auto hat = [&](size_t n) { return (s(n) - mean) * scale; };
    for (size_t n = 0; n < d; ++n) {
      const double g = d_y[first + n] * weight[n];
      g_sum += g / static_cast<double>(d), g_hat += g * hat(n) / static_cast<double>(d);
      out["d_weight"][n] += d_y[first + n] * hat(n);
      out["d_bias"][n] += d_y[first + n];
    }
    for (size_t n = 0; n < d; ++n) {
      out["sum"][first + n] = s(n);
      out["y"][first + n] = hat(n) * weight[n] + bias[n];
      out["d_x"][first + n] =
          d_sum[first + n] +
          scale * (d_y[first + n] * weight[n] - (c.centered ? g_sum : 0) - hat(n) * g_hat);
    }
    out["mean"][row] = mean, out["scale"][row] = scale;
  }
  if (c.residual) out["d_residual"] = out["d_x"];
  if (!c.residual) out.erase("sum");
  if (!c.centered) out.erase("mean");
  if (!c.affine) out.erase("d_weight"), out.erase("d_bias");
  return out;
}

Judged by_judge(const NormCase& c, const Named& given, const Kernels& kernels, int orders,
                const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  const auto rows = static_cast<size_t>(c.rows), cells = rows * static_cast<size_t>(c.d);
  const auto later = [](void* at, size_t by, bool bfloat16) {
    return static_cast<void*>(static_cast<char*>(at) + by * (bfloat16 ? 2 : 4));
  };
  const auto put = [&](const char* name, bool bfloat16) -> void* {
    const auto found = given.find(name);
    if (found == given.end()) return nullptr;
    const size_t from = found->second.size() == static_cast<size_t>(c.d) ? c.weights_from : c.from;
    Numbers values(from, 77);
    values.insert(values.end(), found->second.begin(), found->second.end());
    return later(device.put(name, values, bfloat16), from, bfloat16);
  };
  const auto result = [&](const char* name, size_t count, bool bfloat16) {
    return later(device.result(name, Numbers(count + c.from, 77), bfloat16), c.from, bfloat16);
  };
  const auto floats = [](void* at) { return static_cast<float*>(at); };
  NormWork work{.bfloat16_x = c.bfloat16_x, .bfloat16_y = c.bfloat16_y};
  work.processors = c.processors;
  NormCuda& n = work.norm;
  n.rows = c.rows, n.d = c.d, n.eps = static_cast<float>(kEps), n.centered = c.centered;
  n.x = put("x", c.bfloat16_x);
  n.residual = floats(put("residual", false));
  n.weight = floats(put("weight", false)), n.bias = floats(put("bias", false));
  n.d_y = put("d_y", c.bfloat16_y);
  n.d_sum = floats(put("d_sum", false));
  if (c.residual) n.sum = floats(result("sum", cells, false));
  n.y = result("y", cells, c.bfloat16_y);
  if (c.centered) n.mean = floats(result("mean", rows, false));
  n.scale = floats(result("scale", rows, false));
  n.d_x = result("d_x", cells, c.bfloat16_x);
  if (c.residual) n.d_residual = floats(result("d_residual", cells, false));
  if (c.affine) {
    work.d_weight = floats(result("d_weight", static_cast<size_t>(c.d), false));
    work.d_bias = floats(result("d_bias", static_cast<size_t>(c.d), false));
  }
  device.run(norm_forward_calls(work));
  if (c.residual) n.x = nullptr;
  device.run(norm_backward_calls(
      work, [&](const char* what, size_t bytes) { return device.allocate(what, bytes); }));
  Judged judged = device.judged();
  for (auto& [name, values] : judged.values) {
    for (size_t at = 0; at < c.from; ++at) EXPECT_EQ(values[at], 77) << name;
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(c.from));
  }
  return judged;
}

}  // namespace lcsm::test
