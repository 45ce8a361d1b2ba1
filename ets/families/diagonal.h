// Shared by the diagonal state spaces: options, initial rates, tensors.
#pragma once

#include "ets/families/tensor_list.h"

namespace ets {

inline constexpr OptionRow kStepMin =
    number("step_min", "0.001", 1e-9, 1e3, "the smallest initial step");
inline constexpr OptionRow kStepMax =
    number("step_max", "0.1", 1e-9, 1e3, "the largest initial step");
inline constexpr OptionRow kStepForm =
    word("step", "exp softplus", "exp", "what makes raw_step positive");
inline constexpr OptionRow kSystems = integer(
    "systems", "0", 0,
    "rates shared by channels: channel h has row h mod systems; 0: all their own", "log_decay", 0);
inline constexpr OptionRow kStart =
    word("start", "lin inv inv2 quad legs real", "legs",
         "initial rates: -1/2 + i ..., as S4D names them; real: -1, -2, ...");

// `count` first rates of S4D by the name of "start".
std::vector<Complex> first_rates(const std::string& start, std::int64_t count);

// The rows of the rates for d channels. Throws std::invalid_argument if they do not share evenly.
std::int64_t systems_of(const Variant& variant, std::int64_t d);

// log_decay, frequency (unless real), raw_step, expand, shrink.
void put_diagonal(const Variant& variant, std::int64_t directions, std::int64_t d, bool real,
                  bool tied, bool expand, TensorList* tensors);

}  // namespace ets
