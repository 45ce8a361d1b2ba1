// The random numbers of philox.h, many at a time on vectors.
#pragma once

#include <array>
#include <cstdint>

namespace lcsm {

// The bits for `counters` consecutive counters, whose first word counts up from counter[0]. Each
// gives eight 16-bit numbers, the lower half of a word before its upper half.
void philox_numbers(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                    std::int64_t counters, std::uint16_t* numbers);

}  // namespace lcsm
