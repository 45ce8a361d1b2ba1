// Times a table of many runs: results_bench [RUNS [STEPS]], default 10000 x 30, two metrics per
// step. The baseline computes the means in plain SQL on the database.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "results/figures/figure.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/table.h"
#include "tests/results/fixture.h"

namespace {

namespace fs = std::filesystem;
using namespace results;

constexpr int kTimes = 5;

// The minimum over several repeats, so that other load on the host matters little: wall time and
// processor time.
template <class Work>
void report(const char* what, int times, const Work& work) {
  double wall = 1e9, processor = 1e9;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t clock = std::clock();
    work();
    processor = std::min(processor, static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC);
    wall = std::min(
        wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%-28s %8.3f s, processor %8.3f s\n", what, wall, processor);
}

// Twelve codes, five learning rates, as many seeds as needed; sixty keys that never vary.
void write_runs(const fs::path& workspace, int runs, int steps) {
  Values more;
  for (int i = 0; i < 60; ++i) more["some.key_" + std::to_string(i)] = std::int64_t{i};
  const double rates[] = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2};
  for (int i = 0; i < runs; ++i) {
    std::vector<double> valid(static_cast<std::size_t>(steps));
    for (int step = 0; step < steps; ++step)
      valid[static_cast<std::size_t>(step)] = 20 + i % 12 + 10.0 / (step + 1) + i % 7 * 0.01;
    write_run(workspace, {.number = i + 1,
                          .code = "1-" + std::to_string(i % 12) + "-1-0",
                          .sweep = "bench",
                          .lr = rates[i / 12 % 5],
                          .seed = i / 60,
                          .valid = valid,
                          .more = more});
  }
}

constexpr const char* kPlainSql =
    "SELECT c.value, l.value, avg(s.last), count(*) FROM summaries s "
    "JOIN parameters c ON c.run = s.run AND c.key = 'model.code' "
    "JOIN parameters l ON l.run = s.run AND l.key = 'optim.lr' "
    "WHERE s.metric = 'valid.ppl' GROUP BY c.value, l.value";

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 10000,
            steps = argc > 2 ? std::atoi(argv[2]) : 30;
  const char* kept = std::getenv("LCSM_BENCH_WORKSPACE");  // for other programs
  const Scratch scratch;
  const fs::path workspace = kept != nullptr ? fs::path(kept) : scratch.path();
  fs::create_directories(workspace / kRunsFolder);
  report("write", 1, [&] { write_runs(workspace, runs, steps); });
  FoldReport rebuilt;
  report("rebuild", 1, [&] { rebuilt = rebuild(workspace); });
  std::printf("%d runs, %ld metric rows\n", runs, static_cast<long>(rebuilt.metric_rows));
  const auto database = open_for_reading(workspace);
  report("table", kTimes,
         [&] { make_table(*database, kTestRoles, {.sweep = "bench", .rows = {"model.code"}}); });
  report("table of the best step", kTimes, [&] {
    make_table(
        *database, kTestRoles,
        {.sweep = "bench", .rows = {"model.code"}, .values = {"valid.ppl@best", "test.ppl"}});
  });
  report("figure over learning rates", kTimes, [&] {
    make_figure(*database, kTestRoles,
                {.sweep = "bench", .x = "optim.lr", .y = "valid.ppl", .log_x = true});
  });
  report("figure over steps", kTimes, [&] {
    make_figure(*database, kTestRoles, {.sweep = "bench", .x = "step", .y = "valid.ppl"});
  });
  report("plain SQL", kTimes, [&] {
    Statement select(*database, kPlainSql);
    while (select.step()) {
    }
  });
}
