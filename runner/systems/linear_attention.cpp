#include "runner/systems/linear_attention.h"

#include <stdexcept>

#include "lcsm/block/block_tensors.h"

namespace runner {
namespace {

void expect_heads(std::string_view block, std::int64_t heads, std::int64_t channels,
                  const char* what) {
  if (channels % heads != 0)
    throw std::invalid_argument(std::string(block) + ": expected heads that divide the " +
                                std::to_string(channels) + " channels of " + what + ", got " +
                                std::to_string(heads));
}

}  // namespace

lcsm::Parameters Retnet::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  constexpr double kGain = 0.17677669529663687;  // 2^-2.5
  tensors.put_glorot("query", d, d, kGain);
  tensors.put_glorot("key", d, d, kGain);
  tensors.put_glorot("value", values(d), d, kGain);
  tensors.put_glorot("gate", values(d), d, kGain);
  tensors.put_glorot("output", d, values(d), 0.5);
  return tensors.take();
}

void Retnet::check(std::int64_t d) const {
  expect_heads(kName, heads, d, "queries");
  expect_heads(kName, heads, values(d), "values");
  if (d / heads % 2 != 0)
    throw std::invalid_argument("retnet: expected an even number of channels in each head, got " +
                                std::to_string(d / heads));
}

lcsm::Mixing Retnet::mixing(std::int64_t d, double steps) const {
  const double H = lcsm::real(heads);
  lcsm::Mixing mixing = lcsm::chunked_products(H, lcsm::real(d) / H, lcsm::real(values(d)), false);
  if (form == "recurrent") mixing.state += 1;  // the number of steps
  if (form == "chunks") mixing.machine = "matrix products of chunks";
  if (form != "parallel") return mixing;
  mixing.machine += "; scales of rows from all pairs";
  mixing.flops += 2 * lcsm::real(d) * steps;
  return mixing;
}

lcsm::Parameters Cosformer::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  for (const char* name : {"query", "key", "value", "output"}) tensors.put_linear(name, d, d);
  return tensors.take();
}

void Cosformer::check(std::int64_t d) const { expect_heads(kName, heads, d, "values"); }

lcsm::Mixing Cosformer::mixing(std::int64_t d, double) const {
  const double H = lcsm::real(heads), width = lcsm::real(d);
  return lcsm::chunked_products(H, 2 * width / H, width, true);
}

lcsm::Parameters Based::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_matrix("query", heads * feature, d);
  tensors.put_matrix("key", heads * feature, d);
  tensors.put_matrix("value", d, d);
  tensors.put_matrix("output", d, d);
  return tensors.take();
}

void Based::check(std::int64_t d) const { expect_heads(kName, heads, d, "values"); }

lcsm::Mixing Based::mixing(std::int64_t d, double steps) const {
  const double f = lcsm::real(feature), H = lcsm::real(heads), width = lcsm::real(d);
  if (view == "quadratic") return lcsm::pairs("all pairs of steps", H * f, width, steps, steps);
  return lcsm::chunked_products(H, 1 + f + f * (f + 1) / 2, width, true);
}

}  // namespace runner
