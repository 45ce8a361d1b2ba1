// The verbs of `lcsm`, each in a file of its name.
#pragma once

#include "runner/base/cli/verb.h"

namespace runner {

void add_codes(Verb& program);
void add_systems(Verb& program);
void add_recipes(Verb& program);
void add_sweeps(Verb& program);
void add_new(Verb& program);
void add_plan(Verb& program);
void add_explain(Verb& program);
void add_sweep_run(Verb& program);  // the verb run
void add_element(Verb& program);
void add_status(Verb& program);
void add_watch(Verb& program);
void add_serve(Verb& program);
void add_why(Verb& program);
void add_jobs(Verb& program);
void add_cancel(Verb& program);
void add_retry(Verb& program);
void add_table(Verb& program);
void add_figure(Verb& program);
void add_report(Verb& program);
void add_query(Verb& program);
void add_sample(Verb& program);
void add_show(Verb& program);
void add_diff(Verb& program);
void add_log(Verb& program);
void add_export(Verb& program);
void add_eval(Verb& program);
void add_tag(Verb& program);
void add_note(Verb& program);
void add_archive(Verb& program);
void add_forget(Verb& program);
void add_rebuild(Verb& program);
void add_merge(Verb& program);
void add_gc(Verb& program);
void add_data(Verb& program);
void add_doctor(Verb& program);
void add_config(Verb& program);
void add_completions(Verb& program);

}  // namespace runner
