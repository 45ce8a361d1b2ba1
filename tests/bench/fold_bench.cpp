// Times the folding of run folders into the database: fold_bench [RUNS [STEPS]], default 1000 x
// 100.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "results/store/current_results.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace {

namespace fs = std::filesystem;
using namespace results;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// As many parameters as a resolved configuration has.
Values many_parameters() {
  Values values;
  for (int i = 0; i < 60; ++i) values["some.key_" + std::to_string(i)] = std::int64_t{i};
  return values;
}

void write_runs(const fs::path& workspace, int runs, int steps) {
  std::vector<double> valid(static_cast<std::size_t>(steps));
  for (int i = 0; i < steps; ++i)
    valid[static_cast<std::size_t>(i)] = 20 + 10 * std::exp(-i / 30.0);
  const Values parameters = many_parameters();
  for (int number = 1; number <= runs; ++number)
    write_run(workspace, {.number = number,
                          .sweep = "bench",
                          .seed = number % 3,
                          .valid = valid,
                          .more = parameters});
}

double mebibytes_of_events(const fs::path& workspace) {
  std::uintmax_t bytes = 0;
  for (const std::string& id : run_ids(workspace))
    bytes += fs::file_size(run_folder(workspace, id) / kEventFile);
  return static_cast<double>(bytes) / (1 << 20);
}

void report(const char* what, double time, std::int64_t rows) {
  std::printf("%-22s %8.3f s %12.0f metric rows/s\n", what, time, static_cast<double>(rows) / time);
}

// Times the folding of one more run: with the database free, and while another program reads or
// writes it.
void report_one_more(const fs::path& workspace, int number) {
  constexpr std::chrono::milliseconds kPatience{10};
  const auto one_more = [&](const char* what) {
    write_run(workspace, {.number = ++number, .more = many_parameters()});
    CurrentResults::Source source{};
    const double time =
        seconds([&] { source = current_results(workspace, {.patience = kPatience}).source; });
    std::printf("%-22s %8.3f s%s\n", what, time,
                source == CurrentResults::Source::kMemory ? " in memory" : "");
  };
  one_more("one more run");
  {
    Database foreign(workspace / kDatabaseFile, Database::Mode::kRead);
    Statement rows(foreign, "SELECT id FROM runs");
    rows.step();
    one_more("beside a reader");
    one_more("again");
  }
  Database foreign(workspace / kDatabaseFile, Database::Mode::kWrite);
  const Transaction transaction(foreign);
  one_more("beside a writer");
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 1000,
            steps = argc > 2 ? std::atoi(argv[2]) : 100;
  const Scratch scratch;
  const double writing = seconds([&] { write_runs(scratch.path(), runs, steps); });
  FoldReport folded, rebuilt, again;
  const double folding = seconds([&] { folded = fold(scratch.path()); });
  const double rebuilding = seconds([&] { rebuilt = rebuild(scratch.path()); });
  const double nothing = seconds([&] { again = fold(scratch.path()); });
  std::printf("%d runs, %ld metric rows\n", runs, static_cast<long>(folded.metric_rows));
  report("write", writing, folded.metric_rows);
  report("fold", folding, folded.metric_rows);
  report("rebuild", rebuilding, rebuilt.metric_rows);
  std::printf("%-22s %8.3f s\n", "fold, nothing new", nothing);
  const double events = mebibytes_of_events(scratch.path());
  const double database =
      static_cast<double>(fs::file_size(scratch.path() / kDatabaseFile)) / (1 << 20);
  std::printf("event files %.1f MiB, results.db %.1f MiB (%.2f x)\n", events, database,
              database / events);
  report_one_more(scratch.path(), runs);
}
