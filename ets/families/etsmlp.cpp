// ETSMLP: smoothing inside a perceptron of two layers.
#include <array>
#include <cmath>

#include "ets/families/ces.h"
#include "ets/families/family.h"
#include "lcsm/block/block_tensors.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kEtsmlpOwnOptions = {
    lcsm::integer("hidden", "0", 0, "channels between the two layers; 0: as many as the input",
                  "input.weight", 0),
    lcsm::word(
        "place", "before_in before_act after_act after_out", "before_act",
        "place of the smoothing: before or after the first layer, after the ReLU, at the end"),
    lcsm::flag("gate", false, "multiplies the output by a sigmoid of the input"),
    lcsm::word("start_linear", "normal xavier", "normal",
               "initial weights of linear layers: 0.02 * normal, or uniform by Xavier's rule"),
};

constexpr std::array kEtsmlpOptions = lcsm::joined(kEtsmlpOwnOptions, kCesOptions);

void put_projection(const lcsm::Block& v, const std::string& name, std::int64_t outputs,
                    std::int64_t inputs, lcsm::BlockTensors* tensors) {
  if (v.options.text("start_linear") == "normal")
    return tensors->put_small_linear(name, outputs, inputs);
  const double bound = std::sqrt(6 / static_cast<double>(outputs + inputs));
  tensors->put_each(name + ".weight", {outputs, inputs}, Group::kMatrices,
                    "uniform * sqrt(6 / (inputs + outputs))",
                    [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  tensors->put_constant(name + ".bias", {outputs}, Group::kNorm, 0);
}

lcsm::Parameters tensors_of_etsmlp(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("hidden"), hidden = asked == 0 ? v.d : asked;
  const std::string& place = v.options.text("place");
  lcsm::BlockTensors tensors;
  put_projection(v, "input", hidden, v.d, &tensors);
  tensors.put_part("smooth",
                   part_of(v, kCes, place == "before_in" || place == "after_out" ? v.d : hidden));
  put_projection(v, "output", v.d, hidden, &tensors);
  if (v.options.flag("gate")) put_projection(v, "gate", v.d, v.d, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kEtsmlp = {
    "etsmlp",          "complex exponential smoothing inside a perceptron",
    lcsm::Lag::kOne,   kEtsmlpOptions,
    tensors_of_etsmlp, nullptr};

}  // namespace ets
