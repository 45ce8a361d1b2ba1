// Memories under gates of their whole size: GateLoop, DUR, GFW.
#include <array>

#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

constexpr std::array kGateLoopOptions = {
    lcsm::integer("heads", "1", 1, "heads"),
    kKey,
    lcsm::word("output_gate", kOutputGateWords, "silu", "activation of the output gate"),
};
constexpr std::array kRankOneOptions = {
    lcsm::integer("heads", "1", 1, "heads"),
    kKey,
    lcsm::number("tau", "1", 1e-3, 1e6, "each gate is sigmoid(p)^(1/tau)"),
};

}  // namespace

// o_k = sigmoid(p_k) exp(i p_k2)
EosParts gateloop_parts(const lcsm::Block& v) {
  EosParts parts = coded({.oscillation = {.name = "gateloop", .o = "sigmoid(p_k) * rotate(p_k2)"},
                          .k = static_cast<int>(size_or(v, "k", v.d)),
                          .d = static_cast<int>(v.d)},
                         v.d, v.options.integer("heads"));
  parts.gate = output_gate_of(v.options.text("output_gate"));
  return parts;
}

// o = g gbar^T
EosParts dur_parts(const lcsm::Block& v) {
  return coded("1-1-1-0@tau=" + v.options.text("tau"), size_or(v, "k", v.d), v.d, v.d,
               v.options.integer("heads"));
}

// GFW is DUR with keys and queries as elu + 1.
EosParts gfw_parts(const lcsm::Block& v) {
  return coded("1-1-1-3@tau=" + v.options.text("tau"), size_or(v, "k", v.d), v.d, v.d,
               v.options.integer("heads"));
}

const lcsm::BlockRow kGateLoop = {"gateloop",
                                  "linear attention under a complex data gate over the keys",
                                  lcsm::Lag::kCausalOnly,
                                  kGateLoopOptions,
                                  eos_tensors,
                                  check_eos};
const lcsm::BlockRow kDur = {"dur",
                             "fast weights under the outer product of two data gates",
                             lcsm::Lag::kCausalOnly,
                             kRankOneOptions,
                             eos_tensors,
                             check_eos};
const lcsm::BlockRow kGfw = {"gfw",
                             "gated fast weights: as dur, keys and queries positive",
                             lcsm::Lag::kCausalOnly,
                             kRankOneOptions,
                             eos_tensors,
                             check_eos};

}  // namespace runner
