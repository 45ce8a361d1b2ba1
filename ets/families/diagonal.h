// Shared by the diagonal state spaces: options, initial rates, tensors.
#pragma once

#include "ets/families/complex.h"
#include "lcsm/block/block_tensors.h"

namespace ets {

inline constexpr lcsm::OptionRow kStepMin =
    lcsm::number("step_min", "0.001", 1e-9, 1e3, "the smallest initial step");
inline constexpr lcsm::OptionRow kStepMax =
    lcsm::number("step_max", "0.1", 1e-9, 1e3, "the largest initial step");
inline constexpr lcsm::OptionRow kStepForm =
    lcsm::word("step", "exp softplus", "exp", "what makes raw_step positive");
inline constexpr lcsm::OptionRow kSystems = lcsm::integer(
    "systems", "0", 0,
    "rates shared by channels: channel h has row h mod systems; 0: all their own", "log_decay", 0);
inline constexpr lcsm::OptionRow kStart =
    lcsm::word("start", "lin inv inv2 quad legs real", "legs",
               "initial rates: -1/2 + i ..., as S4D names them; real: -1, -2, ...");

inline constexpr std::string_view kOutputs = "none linear glu";

// `count` first rates of S4D by the name of "start".
std::vector<Complex> first_rates(const std::string& start, std::int64_t count);

// The rows of the rates for d channels. Throws std::invalid_argument if they do not share evenly.
std::int64_t systems_of(const lcsm::Block& variant, std::int64_t d);

// log_decay, frequency (unless real), raw_step, expand, shrink.
void put_diagonal(const lcsm::Block& variant, std::int64_t directions, std::int64_t d, bool real,
                  bool tied, bool expand, lcsm::BlockTensors* tensors);

}  // namespace ets
