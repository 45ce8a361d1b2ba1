// The gates of recurrences inside blocks, as oscillations. Each runs on the machine that
// lcsm::recurrence chooses, or by the definition.
#pragma once

#include <string_view>

#include "lcsm/layer/block.h"
#include "lcsm/layer/recurrence.h"

namespace runner {

// `gate`: a row of gates.cpp. `inputs.symbols` are the symbols of its formula. A gate without rows
// k ignores e and s, which may be undefined.
lcsm::RecurrenceResult gated(std::string_view gate, lcsm::RecurrenceInputs inputs,
                             const lcsm::On& on);

// Symbols of the formulas.
inline const lcsm::Symbol kP = lcsm::parse_symbol("p"), kPk = lcsm::parse_symbol("p_k"),
                          kPd = lcsm::parse_symbol("p_d"), kWkd = lcsm::parse_symbol("w_kd");

// [B, T, H, W], or [B, T, H] for W = 1, to [B H, T, W]; and back.
at::Tensor heads_into_batch(const at::Tensor& x);
at::Tensor heads_from_batch(const at::Tensor& x, std::int64_t heads);

}  // namespace runner
