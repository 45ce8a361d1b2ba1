// Diagonal state spaces, DSS: rates shared by all channels.
#include <array>
#include <cmath>

#include "ets/families/complex.h"
#include "ets/families/diagonal.h"
#include "ets/families/family.h"
#include "ets/families/hippo.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kDssOptions = {
    lcsm::flag("bidirectional", false, "a second kernel over later steps"),
    lcsm::integer("modes", "64", 1, "complex modes", "shrink", 2),
    lcsm::word("form", "softmax exp", "softmax",
               "normalized over the length, or rates with a negative real part"),
    kStepMin,
    kStepMax,
    lcsm::word("output", kOutputs, "linear",
               "after GELU: nothing, a projection, or a gated projection"),
    kReplay,
    kReplayTaps,
    kReplayBias,
    kReplayPad,
};

lcsm::Parameters tensors_of_dss(const lcsm::Block& v) {
  const std::int64_t G = v.directions(), M = v.options.integer("modes");
  const std::vector<Complex>& all = hippo(2 * M).rates;
  const std::vector<Complex> rates(all.begin() + M, all.end());
  lcsm::BlockTensors tensors;
  if (v.options.text("form") == "softmax") {
    tensors.put_rows("rate", {M, 2}, Group::kGate, "HiPPO, positive imaginary parts",
                     interleaved(rates));
  } else {
    lcsm::Values frequencies;
    for (const Complex& rate : rates) frequencies.push_back(rate.imag());
    tensors.put_constant("log_decay", {M}, Group::kGate, std::log(0.5));
    tensors.put_rows("frequency", {M}, Group::kGate, "HiPPO, positive imaginary parts",
                     frequencies);
  }
  tensors.put_step(v.options, "log_step", {v.d, 2});
  tensors.put_normal("shrink", {G, v.d, M, 2}, Group::kGate, 0, 1);
  tensors.put_skip(v.d);
  tensors.put_output(v.options.text("output"), v.d);
  put_replay(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kDss = {"dss",           "diagonal state spaces, normalized over the length",
                             lcsm::Lag::kOne, kDssOptions,
                             tensors_of_dss,  nullptr};

}  // namespace ets
