// Program lcsm: its verbs, in the order in which the help shows them.
#include "runner/front/front.h"
#include "runner/verbs/verbs.h"

namespace {

void add_verbs(CLI::App& app) {
  runner::add_codes(app);
  runner::add_sweeps(app);
  runner::add_plan(app);
  runner::add_sweep_run(app);
  runner::add_status(app);
  runner::add_watch(app);
  runner::add_why(app);
  runner::add_jobs(app);
  runner::add_cancel(app);
  runner::add_retry(app);
  runner::add_explain(app);
  runner::add_table(app);
  runner::add_figure(app);
  runner::add_report(app);
  runner::add_query(app);
  runner::add_show(app);
  runner::add_diff(app);
  runner::add_log(app);
  runner::add_export(app);
  runner::add_rebuild(app);
  runner::add_merge(app);
  runner::add_gc(app);
  runner::add_doctor(app);
  runner::add_config(app);
  runner::add_completions(app);
}

}  // namespace

int main(int argc, char** argv) { return runner::run_front(argc, argv, add_verbs); }
