// lcsm-train: the program that links LibTorch. `lcsm` starts one process of it per run; people
// type its doctor and its bench.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <cstdio>

#include "lcsm/base/revision.h"
#include "runner/bench/bench.h"
#include "runner/train_verbs/train_doctor.h"
#include "runner/train_verbs/train_verbs.h"

namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or wrong tensors, 3 the device asked for is "
    "missing; those of run stand in its own help.\n"
    "Examples:\n  lcsm-train doctor --json --quick\n  lcsm-train params 1-9-1-4";

// What tensors leave is kept for the next step. By itself the C library gives all but small ones
// back to the system, which clears the same pages again and again: a seventh of a small model's
// step.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  CLI::App app{"LCSM explorer, the half that computes", "lcsm-train"};
  app.footer(kFooter);
  app.set_version_flag("--version", [] { return runner::train_version(); });
  app.require_subcommand(1);
  runner::add_train_doctor(app);
  runner::add_apply(app);
  runner::add_params(app);
  runner::add_bench(app);
  runner::add_run(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "lcsm-train: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lcsm-train: {}\n", error.what());
    return 1;
  }
}
