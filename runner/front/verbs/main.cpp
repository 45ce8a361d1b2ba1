// The program lcsm: its verbs, in the order of the help page.
#include "lcsm/base/revision.h"
#include "runner/base/cli/front.h"
#include "runner/front/verbs/synonyms.h"
#include "runner/front/verbs/verbs.h"

int main(int argc, char** argv) {
  runner::Verb program(
      "lcsm", "LCSM explorer: linear-complexity sequence models, written as e-o-s-a codes.");
  program.version("lcsm " + lcsm::revision_text());
  program.footer("'lcsm help VERB' explains a verb.\n\n" + runner::exit_code_list());
  program.group("Define");
  runner::add_codes(program);
  runner::add_systems(program);
  runner::add_recipes(program);
  runner::add_sweeps(program);
  runner::add_new(program);
  runner::add_explain(program);
  runner::add_config(program);
  program.group("Run");
  runner::add_plan(program);
  runner::add_sweep_run(program);
  runner::add_jobs(program);
  runner::add_cancel(program);
  runner::add_retry(program);
  runner::add_eval(program);
  runner::add_sample(program);
  program.group("Look");
  runner::add_status(program);
  runner::add_watch(program);
  runner::add_serve(program);
  runner::add_why(program);
  runner::add_show(program);
  runner::add_diff(program);
  runner::add_log(program);
  program.group("Results");
  runner::add_table(program);
  runner::add_figure(program);
  runner::add_report(program);
  runner::add_query(program);
  runner::add_export(program);
  runner::add_tag(program);
  runner::add_note(program);
  program.group("Data");
  runner::add_data(program);
  program.group("Housekeeping");
  runner::add_merge(program);
  runner::add_rebuild(program);
  runner::add_archive(program);
  runner::add_forget(program);
  runner::add_gc(program);
  runner::add_doctor(program);
  runner::add_completions(program);
  program.group("");
  runner::add_element(program);
  program.synonyms(runner::kSynonyms);
  return runner::run_front(program, argc, argv);
}
