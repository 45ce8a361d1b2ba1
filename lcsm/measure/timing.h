// Times repeats of a piece of work.
#pragma once

#include <functional>
#include <vector>

namespace lcsm {

struct Rate;

using Seconds = std::vector<double>;

// One warm-up, then repeats until the budget (seconds) is used up, at least five.
Seconds time_each(double budget, const std::function<void()>& work);

// Fills in best and median; `amount` is one repeat's work, in units of 1e9.
Rate with_times(Rate rate, double amount, Seconds seconds);

}  // namespace lcsm
