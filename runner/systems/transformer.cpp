#include "runner/systems/transformer.h"

#include <cmath>
#include <stdexcept>

namespace runner {
namespace {

lcsm::Parameters attention_tensors(std::int64_t d) {
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  put_output(d, &tensors);
  return tensors.take();
}

}  // namespace

lcsm::Parameters Transformer::tensors(std::int64_t d) const { return attention_tensors(d); }

void Transformer::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (positions == "rope" && d / heads % 2 != 0)
    throw std::invalid_argument(
        "transformer: positions=rope: expected heads of an even number of "
        "channels, got " +
        std::to_string(d / heads));
}

lcsm::Mixing Transformer::mixing(std::int64_t d, double steps) const {
  return lcsm::pairs("attention over all pairs", lcsm::real(d), lcsm::real(d), steps, steps);
}

lcsm::Parameters LinearTransformer::tensors(std::int64_t d) const { return attention_tensors(d); }

void LinearTransformer::check(std::int64_t d) const { check_heads(kName, d, heads); }

lcsm::Mixing LinearTransformer::mixing(std::int64_t d, double) const {
  const double H = lcsm::real(heads), width = lcsm::real(d);
  return lcsm::chunked_products(H, width / H, width, true);
}

lcsm::Parameters Performer::tensors(std::int64_t d) const { return attention_tensors(d); }

void Performer::check(std::int64_t d) const { check_heads(kName, d, heads); }

lcsm::Mixing Performer::mixing(std::int64_t d, double) const {
  return lcsm::chunked_products(lcsm::real(heads), lcsm::real(feature_count(d)), lcsm::real(d),
                                true);
}

std::int64_t Performer::feature_count(std::int64_t d) const {
  if (features > 0) return features;
  const double w = lcsm::real(d / heads);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(w * std::log(w))));
}

}  // namespace runner
