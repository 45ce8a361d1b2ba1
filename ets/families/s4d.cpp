// Diagonal state spaces, S4D.
#include <array>

#include "ets/families/diagonal.h"
#include "ets/families/family.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

constexpr std::array kS4dOptions = {
    lcsm::flag("bidirectional", false, "a second kernel over later steps"),
    lcsm::integer("modes", "32", 1, "complex modes per channel, or real ones", "log_decay", 1),
    kSystems,
    lcsm::word("form", "complex real", "complex", "complex or real rates"),
    lcsm::word("discretization", "zoh bilinear dss", "zoh",
               "zero-order hold, bilinear, or DSS's softmax over the length"),
    kStepForm,
    lcsm::flag("tied", true, "one step per channel; false: one per mode"),
    lcsm::flag("expand", true, "a learned expand; false: 1"),
    kStart,
    kStepMin,
    kStepMax,
    lcsm::flag("skip", true, "the shortcut past the filter"),
    lcsm::word("output", kOutputs, "glu",
               "after GELU: nothing, a projection, or a gated projection"),
    kReplay,
    kReplayTaps,
    kReplayBias,
    kReplayPad,
};

lcsm::Parameters tensors_of_s4d(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  put_diagonal(v, v.directions(), v.d, v.options.text("form") == "real", v.options.flag("tied"),
               v.options.flag("expand"), &tensors);
  if (v.options.flag("skip")) tensors.put_skip(v.d);
  tensors.put_output(v.options.text("output"), v.d);
  put_replay(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kS4d = {"s4d",           "diagonal state spaces",
                             lcsm::Lag::kOne, kS4dOptions,
                             tensors_of_s4d,  [](const lcsm::Block& v) { systems_of(v, v.d); }};

}  // namespace ets
