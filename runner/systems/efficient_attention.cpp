#include "runner/systems/efficient_attention.h"

#include <cmath>
#include <stdexcept>

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Linformer::tensors(std::int64_t d) const {
  const double spread = 1 / std::sqrt(static_cast<double>(projected));
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  for (const char* name : {"project_key", "project_value"})
    if (name == std::string_view("project_key") || !shared)
      tensors.put_normal(name, {projected, length}, lcsm::BlockTensors::Group::kMatrices, 0,
                         spread);
  put_output(d, &tensors);
  return tensors.take();
}

void Linformer::check(std::int64_t d) const { check_heads(kName, d, heads); }

lcsm::Mixing Linformer::mixing(std::int64_t d, double) const {
  const double width = lcsm::real(d);
  return lcsm::pairs("attention over projected steps", width, width, lcsm::real(projected), 0);
}

lcsm::Parameters Luna::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_normal("packed", {packed, d}, lcsm::BlockTensors::Group::kMatrices, 0, 1);
  for (const char* name : {"pack_query", "pack_key", "pack_value", "query"})
    tensors.put_linear(name, d, d);
  if (bidirectional)
    for (const char* name : {"key", "value"}) tensors.put_linear(name, d, d);
  put_output(d, &tensors);
  return tensors.take();
}

void Luna::check(std::int64_t d) const { check_heads(kName, d, heads); }

// Two running sums: into the packed positions, and out of them.
lcsm::Mixing Luna::mixing(std::int64_t d, double) const {
  const double p = lcsm::real(packed), H = lcsm::real(heads), width = lcsm::real(d);
  if (bidirectional) return lcsm::pairs("attention to packed positions", width, width, 2 * p, 0);
  return {"chunked matrix products", 4 * 2 * p * width, p * (width / H * H + width)};
}

lcsm::Parameters TransformerLs::tensors(std::int64_t d) const {
  const double bound = 1 / std::sqrt(static_cast<double>(d));
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  tensors.put_each("project.weight", {heads * projected, d}, Group::kMatrices,
                   "uniform / sqrt(inputs)",
                   [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  for (const std::string name : {"near_norm", "far_norm"}) {
    tensors.put_constant(name + ".weight", {d}, Group::kNorm, 1);
    tensors.put_constant(name + ".bias", {d}, Group::kNorm, 0);
  }
  put_output(d, &tensors);
  return tensors.take();
}

void TransformerLs::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (window % 2 != 0)
    throw std::invalid_argument("transformer-ls: option 'window': expected an even number, got " +
                                std::to_string(window));
}

lcsm::Mixing TransformerLs::mixing(std::int64_t d, double steps) const {
  const double far = lcsm::real(projected) * steps / lcsm::real(segment),
               near = std::min(steps, lcsm::real(2 * window)), width = lcsm::real(d);
  return lcsm::pairs("attention over a window and projections", width, width, near + far,
                     near + far);
}

lcsm::Parameters Bigbird::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  put_output(d, &tensors);
  return tensors.take();
}

void Bigbird::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (window % 2 == 0)
    throw std::invalid_argument("bigbird: option 'window': expected an odd number, got " +
                                std::to_string(window));
}

lcsm::Mixing Bigbird::mixing(std::int64_t d, double steps) const {
  const double seen = lcsm::real((window + global + random) * block), width = lcsm::real(d);
  return lcsm::pairs("attention over chosen blocks", width, width, std::min(steps, seen), steps);
}

lcsm::Parameters Reformer::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_linear("query", d, d);
  tensors.put_linear("value", d, d);
  put_output(d, &tensors);
  return tensors.take();
}

void Reformer::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (buckets != 1 && buckets % 2 != 0)
    throw std::invalid_argument("reformer: option 'buckets': expected 1 or an even number, got " +
                                std::to_string(buckets));
}

lcsm::Mixing Reformer::mixing(std::int64_t d, double steps) const {
  const double seen = lcsm::real(2 * chunk * rounds), width = lcsm::real(d);
  return lcsm::pairs("attention over chunks of sorted steps", width, width, std::min(steps, seen),
                     steps);
}

lcsm::Parameters Flash::tensors(std::int64_t d) const {
  const std::int64_t inside = size_or(size, 2 * d);
  lcsm::BlockTensors tensors;
  tensors.put_linear("gate", inside, d);
  tensors.put_linear("value", inside, d);
  tensors.put_linear("shared", shared, d);
  tensors.put_normal("scale", {4, shared}, Group::kNorm, 0, 0.02);
  tensors.put_constant("offset", {4, shared}, Group::kNorm, 0);
  tensors.put_normal("position_bias", {bidirectional ? 2 * chunk - 1 : chunk}, Group::kNorm, 0,
                     0.02);
  tensors.put_linear("output", d, inside);
  return tensors.take();
}

lcsm::Mixing Flash::mixing(std::int64_t d, double steps) const {
  const double key = lcsm::real(shared), value = lcsm::real(size_or(size, 2 * d)),
               seen = std::min(steps, lcsm::real(chunk));
  lcsm::Mixing mixing =
      lcsm::pairs("attention within chunks, products between them", key, value, seen, seen);
  mixing.flops += 4 * key * value;
  mixing.state += key * value;
  return mixing;
}

}  // namespace runner
