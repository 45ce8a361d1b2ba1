// ETSMLP: smoothing inside a perceptron of two layers.
#pragma once

#include "ets/families/ces.h"

namespace ets {

struct Etsmlp : CesOptions {
  static constexpr std::string_view kName = "etsmlp",
                                    kHelp = "complex exponential smoothing inside a perceptron";

  std::int64_t hidden = 0;
  lcsm::Word<"before_in before_act after_act after_out"> place = "before_act";
  lcsm::Word<"none layer"> smooth_norm = "none";
  bool gate = false;
  lcsm::Word<"normal xavier"> start_linear = "normal";

  void describe(auto& option) {
    option("hidden", hidden, "channels between the two layers; 0: as many as the input",
           {.tensor = "input.weight"});
    option("place", place,
           "place of the smoothing: before or after the first layer, after the ReLU, at the end");
    option("smooth_norm", smooth_norm, "norm of what is smoothed");
    option("gate", gate, "multiplies the output by a sigmoid of the input");
    option("start_linear", start_linear,
           "initial weights of linear layers: 0.02 * normal, or uniform by Xavier's rule");
    describe_ces(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;

  Ces smoothing() const { return {*this, {}}; }
  // The channels between W_1 and W_2, and those that are smoothed.
  std::int64_t hidden_of(std::int64_t d) const { return hidden == 0 ? d : hidden; }
  std::int64_t smoothed_of(std::int64_t d) const {
    return place == "before_in" || place == "after_out" ? d : hidden_of(d);
  }
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

}  // namespace ets
