#include "runner/cluster/slurm/array_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace runner {
namespace {

TEST(ArraySplit, ReadsTheLimit) {
  // The format of Slurm 22.05.
  EXPECT_EQ(max_array_size("Configuration data as of 2026-01-01T00:00:00\n"
                           "MailProg                = /bin/mail\n"
                           "MaxArraySize            = 101\n"
                           "MaxBatchRequeue         = 5\n"),
            101);
  EXPECT_EQ(max_array_size("MaxArraySize=1001"), 1001);
  EXPECT_EQ(max_array_size("MaxArraySize = 0\r\n"), 0);
  EXPECT_THROW(max_array_size(""), std::runtime_error);
  EXPECT_THROW(max_array_size("MaxArraySize"), std::runtime_error);
  EXPECT_THROW(max_array_size("MaxArraySize = many"), std::runtime_error);
  EXPECT_THROW(max_array_size("MaxArraySize = 10k"), std::runtime_error);
}

TEST(ArraySplit, NoElementIsLostAndNoIndexTooLarge) {
  for (std::int64_t limit = 2; limit < 40; ++limit)
    for (std::int64_t elements = 0; elements < 200; ++elements) {
      const std::vector<std::int64_t> sizes = array_sizes(elements, limit);
      EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}), elements);
      EXPECT_EQ(static_cast<std::int64_t>(sizes.size()), (elements + limit - 1) / limit);
      for (const std::int64_t size : sizes) {
        EXPECT_GE(size, 1);
        EXPECT_LE(size - 1, limit - 1);  // the largest index
      }
    }
  EXPECT_EQ(array_sizes(3000, 1001), (std::vector<std::int64_t>{1000, 1000, 1000}));
  EXPECT_THROW(array_sizes(3, 1), std::invalid_argument);
  EXPECT_THROW(array_sizes(3, 0), std::invalid_argument);
}

}  // namespace
}  // namespace runner
