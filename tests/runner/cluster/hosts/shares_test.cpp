#include "runner/cluster/hosts/shares.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using Hosts = std::vector<std::size_t>;

TEST(Shares, TheLongestGoFirst) { EXPECT_EQ(share_out({1, 4, 2, 3}, {1, 1}), (Hosts{0, 0, 1, 1})); }

TEST(Shares, AHostThatTrainsMoreAtATimeGetsMore) {
  EXPECT_EQ(share_out({1, 1, 1, 1}, {3, 1}), (Hosts{0, 0, 0, 1}));
}

TEST(Shares, RunsOfAnUnknownTimeAreSharedToo) {
  EXPECT_EQ(share_out({0, 0, 0, 0}, {1, 1}), (Hosts{0, 1, 0, 1}));
  EXPECT_EQ(share_out({5, 5}, {1}), (Hosts{0, 0}));
  EXPECT_TRUE(share_out({}, {1}).empty());
}

}  // namespace
}  // namespace runner
