// The random numbers of philox.h, many at a time on vectors.
#pragma once

#include <array>
#include <cstdint>

namespace lcsm {

// The bits of `counters` consecutive counters, which count in their first word from counter[0]:
// eight numbers of 16 bits each, the lower half of a word before its upper.
void philox_numbers(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                    std::int64_t counters, std::uint16_t* numbers);

}  // namespace lcsm
