#include "runner/models/mixers.h"

#include <array>
#include <stdexcept>

#include "runner/models/attention.h"

namespace runner {
namespace {

at::Tensor eos(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x) {
  return lcsm::layer_forward(*plan.variant, weights, x).output;
}

at::Tensor attention(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x) {
  return causal_attention(weights, x, plan.config.integer("model.heads"),
                          plan.config.is("model.positions", "rope"));
}

constexpr std::array kRows = {
    MixerRow{"eos", eos},
    MixerRow{"attention", attention},
};

}  // namespace

const MixerRow& mixer_of(const ModelPlan& plan) {
  const std::string& family = plan.config.text("model.family");
  for (const MixerRow& row : kRows)
    if (row.family == family) return row;
  throw std::logic_error("model: unknown family '" + family + "'");
}

}  // namespace runner
