// The verbs of `lcsm`, each in a file of its name.
#pragma once

namespace CLI {
class App;
}

namespace runner {

void add_codes(CLI::App& app);
void add_sweeps(CLI::App& app);
void add_plan(CLI::App& app);
void add_explain(CLI::App& app);
void add_sweep_run(CLI::App& app);  // the verb run
void add_status(CLI::App& app);
void add_watch(CLI::App& app);
void add_why(CLI::App& app);
void add_jobs(CLI::App& app);
void add_cancel(CLI::App& app);
void add_retry(CLI::App& app);
void add_table(CLI::App& app);
void add_figure(CLI::App& app);
void add_report(CLI::App& app);
void add_query(CLI::App& app);
void add_show(CLI::App& app);
void add_diff(CLI::App& app);
void add_log(CLI::App& app);
void add_export(CLI::App& app);
void add_rebuild(CLI::App& app);
void add_merge(CLI::App& app);
void add_gc(CLI::App& app);
void add_doctor(CLI::App& app);
void add_config(CLI::App& app);
void add_completions(CLI::App& app);

}  // namespace runner
