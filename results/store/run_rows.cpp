#include "results/store/run_rows.h"

#include <sqlite3.h>

#include <charconv>

namespace results {
namespace {

struct BindValue {
  Statement* insert;
  int at;  // place of the value; its type follows

  void operator()(bool value) const { bind(std::int64_t{value}, "boolean"); }
  void operator()(std::int64_t value) const { bind(value, "integer"); }
  void operator()(double value) const { bind(value, "real"); }
  void operator()(const std::string& value) const { bind(std::string_view(value), "text"); }
  void operator()(const List& value) const { bind(std::string_view(value.json), "list"); }

  template <class T>
  void bind(T value, std::string_view type) const {
    insert->bind(at, value);
    insert->bind(at + 1, type);
  }
};

// In SQL: the status until an attempt ends.
std::string running() { return "'" + std::string(stored_name(RunState::kRunning)) + "'"; }

void bind_extreme(Statement& statement, int at, const Summary::Extreme& extreme) {
  if (extreme.known) {
    statement.bind(at, extreme.value);
    statement.bind(at + 1, extreme.step);
  } else {
    statement.bind_null(at);
    statement.bind_null(at + 1);
  }
}

Summary::Extreme extreme_of(const Statement& row, int at) {
  if (row.is_null(at)) return {};
  return {true, row.real(at), row.integer(at + 1)};
}

}  // namespace

std::int64_t run_number(std::string_view id) {
  std::int64_t number = 0;
  std::from_chars(id.data(), id.data() + std::min<std::size_t>(id.size(), 15), number, 16);
  return number;
}

RunRows::RunRows(Database& database)
    : insert_run_(database, "INSERT INTO runs VALUES (?1, ?2, ?3, " + running() +
                                ", 0, 0, '', 0, "
                                "iif(json_valid(?3), json_remove(?3, '$.seed'), NULL))"),
      insert_parameter_(database, "INSERT INTO parameters VALUES (?, ?, ?, ?)"),
      insert_attempt_(database, "INSERT INTO attempts VALUES (?, ?, ?, ?, NULL, ?, NULL, " +
                                    running() + ", NULL, '')"),
      end_attempt_(database,
                   "UPDATE attempts SET ended = ?, status = ?, steps = ?, message = ? "
                   "WHERE run = ? AND attempt = ?"),
      insert_environment_(database, "INSERT INTO environments VALUES (?, ?, ?, ?, ?)"),
      insert_metric_(database, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)"),
      insert_artefact_(database, "INSERT INTO artefacts VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      insert_message_(database, "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)"),
      insert_refused_(database, "INSERT INTO refused VALUES (?, ?)"),
      insert_point_(database, "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)"),
      insert_tag_(database, "INSERT INTO tags VALUES (?, ?)"),
      insert_note_(database, "INSERT INTO notes VALUES (?, ?, ?)"),
      insert_evaluation_(database, "REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?, ?)"),
      find_id_(database, "SELECT id FROM runs WHERE run = ?"),
      rewind_(database,
              "UPDATE attempts AS a SET kept_to = (SELECT min(b.from_seq) FROM attempts AS b "
              "WHERE b.run = a.run AND b.attempt > a.attempt) WHERE run = ?"),
      update_run_(database,
                  "UPDATE runs SET (status, steps, attempts, message) = "
                  "(SELECT a.status, coalesce(a.steps, (SELECT max(last_step) FROM summaries s "
                  "WHERE s.run = runs.run), from_step), attempt, a.message FROM attempts a "
                  "WHERE a.run = runs.run ORDER BY attempt DESC LIMIT 1) "
                  "WHERE run = ? AND EXISTS (SELECT 1 FROM attempts a WHERE a.run = runs.run)"),
      select_summaries_(database, "SELECT * FROM summaries WHERE run = ?"),
      select_counted_(database,
                      "SELECT metric, step, value FROM metrics JOIN attempts USING (run, attempt) "
                      "WHERE run = ? AND (kept_to IS NULL OR seq <= kept_to) ORDER BY metric, seq"),
      store_summary_(database, "REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      delete_run_(database, "DELETE FROM runs WHERE id = ?"),
      delete_refused_(database, "DELETE FROM refused WHERE id = ?"),
      delete_file_(database, "DELETE FROM files WHERE id = ?"),
      delete_points_(database, "DELETE FROM points WHERE run = ?"),
      delete_summaries_(database, "DELETE FROM summaries WHERE run = ?"),
      delete_tags_(database, "DELETE FROM tags WHERE run = ?"),
      delete_notes_(database, "DELETE FROM notes WHERE run = ?"),
      delete_evaluations_(database, "DELETE FROM evaluations WHERE run = ?") {}

std::string RunRows::other_of(const std::string& id) {
  find_id_.bind_all(run_number(id));
  const std::string found = find_id_.step() ? find_id_.text(0) : id;
  find_id_.reset();
  return found == id ? "" : found;
}

void RunRows::remove(const std::string& id) {
  for (Statement* each : {&delete_run_, &delete_refused_, &delete_file_}) {
    each->once(id);
  }
}

void RunRows::refuse(const std::string& id, const std::string& reason) {
  insert_refused_.once(id, reason);
}

void RunRows::set_marks(const std::string& id, const std::vector<SweepMark>& marks) {
  const std::int64_t run = run_number(id);
  delete_points_.once(run);
  for (const SweepMark& mark : marks) {
    insert_point_.once(mark.sweep, run, mark.title, mark.paper, mark.scale, mark.settings);
  }
}

void RunRows::set_notes(const std::string& id, const RunNotes& notes) {
  const std::int64_t run = run_number(id);
  for (Statement* remove : {&delete_tags_, &delete_notes_}) {
    remove->once(run);
  }
  for (const std::string& tag : notes.tags) {
    insert_tag_.once(run, tag);
  }
  for (const RunNote& note : notes.notes) {
    insert_note_.once(run, note.name, note.text);
  }
}

void RunRows::set_evaluations(const std::string& id, const std::vector<Evaluation>& evaluations) {
  const std::int64_t run = run_number(id);
  delete_evaluations_.once(run);
  for (const Evaluation& evaluation : evaluations)
    for (const auto& [metric, value] : evaluation.metrics) {
      insert_evaluation_.once(run, metric, evaluation.settings, evaluation.step, value,
                              evaluation.time);
    }
}

std::int64_t RunRows::add(const std::string& id, const std::vector<Event>& events) {
  run_ = run_number(id);
  Summaries summaries = known_summaries();
  bool rewound = false;
  for (const Event& event : events) {
    if (const auto* run = std::get_if<RunLine>(&event.line)) {
      add_run(*run);
    } else if (const auto* attempt = std::get_if<AttemptLine>(&event.line)) {
      add_attempt(event, *attempt);
      rewound = rewound || event.attempt > 1;
    } else if (const auto* artefact = std::get_if<ArtefactLine>(&event.line)) {
      insert_artefact_.once(run_, event.sequence, event.attempt, artefact->kind, artefact->path,
                            artefact->step, artefact->bytes, artefact->sha256);
    } else if (const auto* message = std::get_if<MessageLine>(&event.line)) {
      insert_message_.once(run_, event.sequence, event.attempt, event.time, message->level,
                           message->text);
    } else if (const auto* end = std::get_if<EndLine>(&event.line)) {
      add_end(event, *end);
    }
  }
  const std::int64_t rows = add_metrics(events, summaries);
  if (rewound) summaries = counted_summaries();
  store(summaries);
  update_run_.once(run_);
  return rows;
}

void RunRows::add_run(const RunLine& line) {
  insert_run_.once(run_, line.run, line.identity);
  insert_parameter_.bind(1, run_);
  add_values(insert_parameter_, line.parameters, 2);
}

void RunRows::add_attempt(const Event& event, const AttemptLine& line) {
  insert_attempt_.once(run_, event.attempt, line.from_step, line.from_seq, event.time);
  insert_environment_.bind(1, run_);
  insert_environment_.bind(2, event.attempt);
  add_values(insert_environment_, line.environment, 3);
}

void RunRows::add_values(Statement& insert, const Values& values, int first) {
  for (const auto& [key, value] : values) {
    insert.bind(first, key);
    std::visit(BindValue{&insert, first + 1}, value);
    insert.once();
  }
}

// Metric by metric, which is the order of the table.
std::int64_t RunRows::add_metrics(const std::vector<Event>& events, Summaries& summaries) {
  struct Row {
    const Event* event;
    std::int64_t step;
    double value;
  };
  std::map<std::string_view, std::vector<Row>> rows;
  for (const Event& event : events)
    if (const auto* line = std::get_if<MetricsLine>(&event.line))
      for (const auto& [name, value] : line->values)
        rows[name].push_back({&event, line->step, value});
  std::int64_t count = 0;
  insert_metric_.bind(1, run_);
  for (const auto& [name, of_metric] : rows) {
    Summary& summary = summaries[std::string(name)];
    insert_metric_.bind(2, name);
    for (const Row& row : of_metric) {
      insert_metric_.bind(3, row.event->sequence);
      insert_metric_.bind(4, row.event->attempt);
      insert_metric_.bind(5, row.step);
      insert_metric_.bind(6, row.value);
      insert_metric_.once();
      summary.add(row.step, row.value);
    }
    count += std::ssize(of_metric);
  }
  return count;
}

void RunRows::add_end(const Event& event, const EndLine& line) {
  end_attempt_.once(event.time, stored_name(line.state), line.step, line.message, run_,
                    event.attempt);
}

RunRows::Summaries RunRows::known_summaries() {
  Summaries summaries;
  select_summaries_.bind_all(run_);
  while (select_summaries_.step()) {
    const Statement& row = select_summaries_;
    summaries[row.text(1)] = {row.integer(2), row.real(3), row.integer(4), extreme_of(row, 5),
                              extreme_of(row, 7)};
  }
  select_summaries_.reset();
  return summaries;
}

// A new attempt discards what was written after its checkpoint.
RunRows::Summaries RunRows::counted_summaries() {
  rewind_.once(run_);
  Summaries summaries;
  select_counted_.bind_all(run_);
  while (select_counted_.step())
    summaries[select_counted_.text(0)].add(select_counted_.integer(1), select_counted_.real(2));
  select_counted_.reset();
  delete_summaries_.once(run_);
  return summaries;
}

void RunRows::store(const Summaries& summaries) {
  for (const auto& [metric, summary] : summaries) {
    store_summary_.bind_all(run_, metric, summary.rows, summary.last, summary.last_step);
    bind_extreme(store_summary_, 6, summary.lowest);
    bind_extreme(store_summary_, 8, summary.highest);
    store_summary_.once();
  }
}

}  // namespace results
