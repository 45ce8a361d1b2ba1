// Diagonal state spaces, S4D.
#include <array>

#include "ets/families/diagonal.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

constexpr std::array kS4dOptions = {
    flag("bidirectional", false, "a second kernel over later steps"),
    integer("modes", "32", 1, "complex modes per channel, or real ones", "log_decay", 1),
    kSystems,
    word("form", "complex real", "complex", "complex or real rates"),
    word("discretization", "zoh bilinear dss", "zoh",
         "zero-order hold, bilinear, or DSS's softmax over the length"),
    kStepForm,
    flag("tied", true, "one step per channel; false: one per mode"),
    flag("expand", true, "a learned expand; false: 1"),
    kStart,
    kStepMin,
    kStepMax,
    flag("skip", true, "the shortcut past the filter"),
    word("output", kOutputs, "glu", "after GELU: nothing, a projection, or a gated projection"),
    kReplay,
    kReplayTaps,
    kReplayBias,
    kReplayPad,
};

Parameters tensors_of_s4d(const Variant& v) {
  TensorList tensors;
  put_diagonal(v, v.directions(), v.d, v.options.text("form") == "real", v.options.flag("tied"),
               v.options.flag("expand"), &tensors);
  if (v.options.flag("skip")) tensors.put_skip(v.d);
  tensors.put_output(v.options.text("output"), v.d);
  put_replay(v, &tensors);
  return tensors.take();
}

}  // namespace

const FamilyRow kS4d = {"s4d",          "diagonal state spaces",
                        Lag::kOne,      kS4dOptions,
                        tensors_of_s4d, [](const Variant& v) { systems_of(v, v.d); }};

}  // namespace ets
