#include "runner/systems/inner.h"

#include <array>

#include "lcsm/base/row_names.h"

namespace runner {
namespace {

constexpr InnerInput kQuery{"input.q", "BTHK"}, kKey{"input.k", "BTHK"}, kValue{"input.v", "BTHV"};

constexpr auto kScale = lcsm::option_rows<OutputScale>, kUnitScale = lcsm::option_rows<UnitScale>;
constexpr auto kNoOptions = [] { return std::span<const lcsm::OptionRow>(); };

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
    InnerRow{"linear-attention", "a sum of outer products",
             lcsm::option_rows<LinearAttentionOptions>, kLinearAttention},
    InnerRow{"simple-gla", "one decay per step and head", kScale, kSimpleGla},
    InnerRow{"gla", "decay over the keys", kScale, kGla},
    InnerRow{"retention", "a constant decay per head", kScale, kLinearAttention},
    InnerRow{"rwkv6", "decay over the keys, with a separate weight for the current step", kScale,
             kRwkv6},
    InnerRow{"hgrn-scan", "one decay per channel", kNoOptions, kHgrn},
    InnerRow{"delta-rule", "writes what its key does not read yet", kScale, kDeltaRule},
    InnerRow{"two-keys", "erases along another key than it writes (M2)", kUnitScale, kTwoKeys},
    InnerRow{"selective-scan", "the state space of Mamba", lcsm::option_rows<SelectiveScanOptions>,
             kSelectiveScan},
};

}  // namespace

std::span<const InnerRow> inner_rows() { return kInnerRows; }

const InnerRow* inner_named(std::string_view name) { return lcsm::row_named(kInnerRows, name); }

}  // namespace runner
