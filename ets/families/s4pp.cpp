// S4++: cross attention between inputs and the output of S4+, equations 18 to 28 of its paper.
// Where the paper is silent, an option says so in its help.
#include "ets/families/s4pp.h"

#include <algorithm>
#include <array>

#include "ets/families/attention.h"
#include "ets/families/diagonal.h"
#include "ets/families/family.h"
#include "ets/families/replay.h"
#include "lcsm/base/row_names.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr lcsm::OptionRow inside(lcsm::OptionRow row, std::string_view tensor,
                                 std::string_view preset = "") {
  row.tensor = tensor;
  if (!preset.empty()) row.preset = preset;
  return row;
}

constexpr std::array kS4ppOptions = {
    kCausal,
    kBias,
    kPositions,
    kChunk,
    lcsm::integer(
        "q", "0", 0,
        "channels of queries and keys, unstated; 0: half those of the layer, at least 1, as "
        "MEGA",
        "query.weight", 0),
    lcsm::integer("v", "0", 0, "channels of values, unstated; 0: twice those of the layer, as MEGA",
                  "value.weight", 0),
    lcsm::word(
        "divisor", "width keys", "width",
        "scores are divided by the square root of the layer's width, as in eq. 23, or of the "
        "queries' width, as in most attention"),
    lcsm::word("kernel", "s4 s4d", "s4", "of the filter: S4's, as in eq. 3, or diagonal rates"),
    lcsm::flag("skip", false, "the filter's shortcut; off, since eq. 19 is the kernel alone"),
    lcsm::word(
        "output", kOutputs, "none",
        "after the filter GELU and a projection, as S4 has; none: eq. 19 is the kernel alone"),
    lcsm::flag("bidirectional", false, "a second kernel over later steps"),
    lcsm::integer("modes", "32", 1, "complex modes per channel, unstated; as S4",
                  "filter.log_decay", 1),
    inside(kSystems, "filter.log_decay"),
    lcsm::OptionRow{.name = "length",
                    .help = "shrink is C (I - A^length); 0: plain C, and the kernel of any length",
                    .kind = lcsm::OptionKind::kInteger,
                    .preset = "0",
                    .most = 1 << 30,
                    .needs = "kernel=s4"},
    kStepForm,
    kStepMin,
    kStepMax,
    inside(kReplay, "", "depthwise"),
    inside(kReplayTaps, "filter.replay.weight"),
    kReplayBias,
    kReplayPad,
};

std::int64_t key_width(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("q");
  return asked == 0 ? std::max<std::int64_t>(v.d / 2, 1) : asked;
}

void put_small_matrix(const std::string& name, std::int64_t outputs, std::int64_t inputs,
                      lcsm::BlockTensors* tensors) {
  tensors->put_normal(name + ".weight", {outputs, inputs}, Group::kMatrices, 0, 0.02);
}

lcsm::Parameters tensors_of_s4pp(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("v"), values = asked == 0 ? 2 * v.d : asked,
                     keys = key_width(v);
  lcsm::BlockTensors tensors;
  tensors.put_part("filter", s4pp_filter(v));
  tensors.put_small_linear("query", keys, v.d);
  tensors.put_small_linear("key", keys, v.d);
  tensors.put_small_linear("value", values, v.d);
  put_bias(v, keys, &tensors);
  tensors.put_small_linear("reset", values, v.d);
  tensors.put_small_linear("state", v.d, v.d);
  put_small_matrix("hidden", v.d, values, &tensors);
  tensors.put_small_linear("update", v.d, v.d);
  return tensors.take();
}

void check(const lcsm::Block& v) {
  check_turned(v, "q", key_width(v));
  s4pp_filter(v);
}

}  // namespace

lcsm::Block s4pp_filter(const lcsm::Block& whole) {
  const lcsm::BlockRow& family = whole.options.text("kernel") == "s4" ? kS4 : kS4d;
  const lcsm::Options preset(whole.row->name, whole.row->options);
  lcsm::Options options(family.name, family.options);
  for (const lcsm::OptionRow& row : family.options)
    if (lcsm::row_named(whole.options.rows(), row.name) != nullptr &&
        (whole.options.is_set(row.name) || row.preset != preset.text(row.name)))
      options.set(row.name, whole.options.text(row.name));
  return lcsm::make_block(family, options, whole.d);
}

const lcsm::BlockRow kS4pp = {"s4++",          "cross attention between inputs and S4+ of them",
                              lcsm::Lag::kOne, kS4ppOptions,
                              tensors_of_s4pp, check};

}  // namespace ets
