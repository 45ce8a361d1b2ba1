#include "ets/families/etsmlp.h"

#include "ets/families/modes_cost.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

void put_projection(const Etsmlp& e, const std::string& name, std::int64_t outputs,
                    std::int64_t inputs, lcsm::BlockTensors* tensors) {
  if (e.start_linear == "normal") return tensors->put_small_linear(name, outputs, inputs);
  tensors->put_glorot(name, outputs, inputs, 1);
  tensors->put_constant(name + ".bias", {outputs}, Group::kNorm, 0);
}

}  // namespace

lcsm::Parameters Etsmlp::tensors(std::int64_t d) const {
  const std::int64_t inside = hidden_of(d), smoothed = smoothed_of(d);
  lcsm::BlockTensors tensors;
  put_projection(*this, "input", inside, d, &tensors);
  tensors.put_part("smooth", smoothing().tensors(smoothed));
  if (smooth_norm == "layer") {
    tensors.put_constant("smooth_norm.weight", {smoothed}, Group::kNorm, 1);
    tensors.put_constant("smooth_norm.bias", {smoothed}, Group::kNorm, 0);
  }
  put_projection(*this, "output", d, inside, &tensors);
  if (gate) put_projection(*this, "gate", d, d, &tensors);
  return tensors.take();
}

lcsm::Mixing Etsmlp::mixing(std::int64_t d, double steps) const {
  return mixing_of_modes(steps, directions(), 1, form == "complex", lcsm::real(smoothed_of(d)));
}

}  // namespace ets
