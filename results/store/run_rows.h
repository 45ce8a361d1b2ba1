// Writes the events of runs to the tables of results.db, with statements prepared once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "results/events/evaluations.h"
#include "results/events/event.h"
#include "results/events/run_folder.h"
#include "results/events/run_notes.h"
#include "results/store/database.h"
#include "results/store/summary.h"

namespace results {

// The number of a run in the tables: its first 15 hex digits.
std::int64_t run_number(std::string_view id);

class RunRows {
 public:
  explicit RunRows(Database& database);

  // Another run with the same number; "" if there is none.
  std::string other_of(const std::string& id);

  // Removes everything about the run, including that it was refused.
  void remove(const std::string& id);

  // Adds the next events of the file, in order. Returns the number of metric rows.
  std::int64_t add(const std::string& id, const std::vector<Event>& events);

  void refuse(const std::string& id, const std::string& reason);

  // Replaces the run's sweeps.
  void set_marks(const std::string& id, const std::vector<SweepMark>& marks);

  // Replaces its tags and notes.
  void set_notes(const std::string& id, const RunNotes& notes);

  // Replaces its evaluations.
  void set_evaluations(const std::string& id, const std::vector<Evaluation>& evaluations);

 private:
  using Summaries = std::map<std::string, Summary>;

  void add_run(const RunLine& line);
  void add_attempt(const Event& event, const AttemptLine& line);
  std::int64_t add_metrics(const std::vector<Event>& events, Summaries& summaries);
  void add_values(Statement& insert, const Values& values, int first);
  void add_end(const Event& event, const EndLine& line);
  Summaries known_summaries();
  Summaries counted_summaries();
  void store(const Summaries& summaries);

  std::int64_t run_ = 0;  // whose events are being added
  Statement insert_run_, insert_parameter_, insert_attempt_, end_attempt_, insert_environment_,
      insert_metric_, insert_artefact_, insert_message_, insert_refused_, insert_point_,
      insert_tag_, insert_note_, insert_evaluation_;
  Statement find_id_, rewind_, update_run_, select_summaries_, select_counted_, store_summary_;
  Statement delete_run_, delete_refused_, delete_file_, delete_points_, delete_summaries_,
      delete_tags_, delete_notes_, delete_evaluations_;
};

}  // namespace results
