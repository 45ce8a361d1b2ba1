// Many random numbers of philox.h at a time, on vectors.
#pragma once

#include <array>
#include <cstdint>

namespace lcsm {

// The bits of counters that follow one another in their first word, from counter[0] on: each gives
// eight numbers of 16 bits, the lower half of a word before its higher. On vectors, several
// counters at a time.
void philox_numbers(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key,
                    std::int64_t counters, std::uint16_t* numbers);

}  // namespace lcsm
