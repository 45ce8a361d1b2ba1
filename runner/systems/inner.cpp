#include "runner/systems/inner.h"

#include <array>

namespace runner {
namespace {

constexpr InnerInput kQuery{"input.q", "BTHK"}, kKey{"input.k", "BTHK"}, kValue{"input.v", "BTHV"};

constexpr lcsm::OptionRow kScale =
    lcsm::number("scale", "0", 0, 1e6, "factor of the output; 0: 1 / sqrt(K)");
constexpr lcsm::OptionRow kUnitScale =
    lcsm::number("scale", "1", 0, 1e6, "factor of the output; 0: 1 / sqrt(K)");

constexpr std::array kOnlyScale = {kScale};
constexpr std::array kOnlyUnitScale = {kUnitScale};
constexpr std::array kOfLinearAttention = {
    kUnitScale,
    lcsm::flag("normalize", false, "divide by q^T (sum of k) + 1e-10"),
    lcsm::word("feature", "none exp", "none", "feature map of q and k"),
};
constexpr std::array kOfSelectiveScan = {
    lcsm::flag("softplus", true, "the step is softplus(delta + delta_bias), else their sum"),
};

constexpr std::array kLinearAttention = {kQuery, kKey, kValue};
constexpr std::array kSimpleGla = {kQuery, kKey, kValue, InnerInput{"input.g", "BTH"}};
constexpr std::array kGla = {kQuery, kKey, kValue, InnerInput{"input.gk", "BTHK"}};
constexpr std::array kRwkv6 = {kQuery, kKey, kValue, InnerInput{"input.w", "BTHK"},
                               InnerInput{"input.u", "HK"}};
constexpr std::array kHgrn = {InnerInput{"input.x", "BTD"}, InnerInput{"input.g", "BTD"}};
constexpr std::array kDeltaRule = {kQuery, kKey, kValue, InnerInput{"input.beta", "BTH"}};
constexpr std::array kTwoKeys = {kQuery, kKey, kValue, InnerInput{"input.kbar", "BTHK"}};
constexpr std::array kSelectiveScan = {
    InnerInput{"input.u", "BTD"},
    InnerInput{"input.delta", "BTD"},
    InnerInput{"input.B", "BTN", "BTGN"},
    InnerInput{"input.C", "BTN", "BTGN"},
    InnerInput{"weight.A", "DN"},
    InnerInput{"weight.D", "D", "", true},
    InnerInput{"weight.delta_bias", "D", "", true},
    InnerInput{"input.z", "BTD", "", true},
};

constexpr std::array kInnerRows = {
    InnerRow{"linear-attention", "a sum of outer products", kOfLinearAttention, kLinearAttention},
    InnerRow{"simple-gla", "one decay per step and head", kOnlyScale, kSimpleGla},
    InnerRow{"gla", "decay over the keys", kOnlyScale, kGla},
    InnerRow{"retention", "a constant decay per head", kOnlyScale, kLinearAttention},
    InnerRow{"rwkv6", "decay over the keys, with a separate weight for the current step",
             kOnlyScale, kRwkv6},
    InnerRow{"hgrn-scan", "one decay per channel", {}, kHgrn},
    InnerRow{"delta-rule", "writes what its key does not read yet", kOnlyScale, kDeltaRule},
    InnerRow{"two-keys", "erases along another key than it writes (M2)", kOnlyUnitScale, kTwoKeys},
    InnerRow{"selective-scan", "the state space of Mamba", kOfSelectiveScan, kSelectiveScan},
};

}  // namespace

std::span<const InnerRow> inner_rows() { return kInnerRows; }

const InnerRow* inner_named(std::string_view name) {
  for (const InnerRow& row : kInnerRows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace runner
