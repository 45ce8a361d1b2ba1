// lcsm-train: the program that links LibTorch. `lcsm` starts one process of it per run; users run
// its doctor and its bench.
#include <malloc.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

#include "runner/base/cli/front.h"
#include "runner/train/bench/bench.h"
#include "runner/train/verbs/train_doctor.h"
#include "runner/train/verbs/train_verbs.h"

namespace {

constexpr const char* kTrainMainFooter =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or wrong tensors, 3 the requested device is "
    "missing; `lcsm-train run --help` lists the codes of run.\n"
    "Examples:\n  lcsm-train doctor --json --quick\n  lcsm-train params 1-9-1-4";

// Keeps the memory of freed tensors for the next step. By default the C library returns all but
// small blocks to the system, which then clears their pages again: a seventh of a small model's
// step.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  runner::Verb train("lcsm-train", "LCSM explorer: training and measurements");
  train.version(runner::train_version());
  train.footer(kTrainMainFooter);
  runner::add_train_doctor(train);
  runner::add_apply(train);
  runner::add_params(train);
  runner::Verb& bench = train.verb("bench", "Measure speed on this host");
  runner::add_bench_step(bench);
  runner::add_bench_eos(bench);
  runner::add_bench_ets(bench);
  runner::add_tune(train);
  runner::add_run(train);
  runner::add_train_eval(train);
  runner::add_gates(train);
  runner::add_sample(train);
  const int status = runner::run_front(train, argc, argv);
  std::fflush(nullptr);
  _exit(status);  // exit() removes LibTorch's thousands of operators one by one: 0.1 s of CPU
}
