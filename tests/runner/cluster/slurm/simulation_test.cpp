#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "tests/results/kill_at_write.h"
#include "tests/runner/cluster/slurm/simulated_cluster.h"

namespace runner {
namespace {

void print(const SimulatedSettings& settings, const SimulatedEnd& end) {
  const auto calls = std::accumulate(end.calls.begin(), end.calls.end(), std::int64_t{0});
  std::printf(
      "%d runs on %d nodes: %.1f hours, %lld node failures, %lld trainings cut, %lld came back\n"
      "%lld calls of the controller by %lld turns and %lld looks: %.2f a minute, at most %d\n"
      "%.1f questions whether a run may start, for each run\n",
      settings.runs, settings.nodes, end.seconds / 3600, static_cast<long long>(end.failures),
      static_cast<long long>(end.cut), static_cast<long long>(end.returned),
      static_cast<long long>(calls), static_cast<long long>(end.turns),
      static_cast<long long>(end.looks),
      static_cast<double>(calls) / static_cast<double>(end.calls.size()),
      *std::ranges::max_element(end.calls),
      static_cast<double>(end.asks) / static_cast<double>(settings.runs));
}

}  // namespace

// A small cluster; LCSM_SIMULATION=20000: so many runs, and a node for each hundred, in a minute.
TEST(SimulatedCluster, NothingIsLostNothingTrainedTwice) {
  if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
  SimulatedSettings settings;
  settings.runs /= results::kStride;
  if (const char* const runs = std::getenv("LCSM_SIMULATION")) {
    settings.runs = std::max(100, std::atoi(runs));
    settings.nodes = settings.runs / 100;
  }
  const SimulatedEnd end = SimulatedCluster(settings).run();
  print(settings, end);
  EXPECT_EQ(end.twice, 0) << "a training that lives was taken over";
  int stuck = 0;
  for (std::size_t run = 0; run < end.done.size(); ++run) {
    ASSERT_EQ(end.done[run], end.failed[run] ? 0 : 1) << "run " << run;
    stuck += end.failed[run];
  }
  EXPECT_EQ(stuck, settings.stuck) << "those that gain nothing, and no other";
  EXPECT_GT(end.failures, 0);
  EXPECT_LE(std::accumulate(end.calls.begin(), end.calls.end(), std::int64_t{0}),
            2 * end.turns + end.looks);
}

}  // namespace runner
