// Philox on vectors against its definition, and the definition against its authors' known answers.
#include "lcsm/cpu/philox_cpu.h"

#include <gtest/gtest.h>

#include <vector>

#include "lcsm/base/philox.h"

namespace lcsm {
namespace {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

std::vector<std::uint16_t> by_definition(Counter counter, Key key, std::int64_t counters) {
  std::vector<std::uint16_t> numbers;
  for (std::int64_t n = 0; n < counters; ++n, ++counter[0])
    for (const std::uint32_t word : philox(counter, key))
      for (const int shift : {0, 16}) numbers.push_back(static_cast<std::uint16_t>(word >> shift));
  return numbers;
}

}  // namespace

// Random123 1.14, tests/kat_vectors.
TEST(Philox, GivesTheKnownAnswers) {
  constexpr std::uint32_t kAll = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kAll, kAll, kAll, kAll}, {kAll, kAll}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, OnVectorsIsItsDefinition) {
  for (const Counter& counter : {Counter{0, 1, 2, 3}, Counter{0xfffffff0, 0xffffffff, 7, 1u << 31}})
    for (const std::int64_t counters : {0, 1, 2, 7, 8, 9, 40}) {
      const Key key{0x12345678, 0x9abcdef0};
      std::vector<std::uint16_t> numbers(static_cast<std::size_t>(8 * counters + 1), 0xaaaa);
      philox_numbers(counter, key, counters, numbers.data());
      EXPECT_EQ(numbers.back(), 0xaaaa) << "written past the end";
      numbers.pop_back();
      EXPECT_EQ(numbers, by_definition(counter, key, counters));
    }
}

}  // namespace lcsm
