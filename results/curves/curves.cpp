#include "results/curves/curves.h"

#include <map>
#include <set>

#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"

namespace results {
namespace {

Cell cell_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::get<List>(value).json;
}

Cell parameter_cell(const RunCurves& run, const std::string& key) {
  const auto found = run.parameters.find(key);
  return found == run.parameters.end() ? Cell{} : cell_of(found->second);
}

// Cuts the text to `bytes`, but not inside a UTF-8 character.
std::string cut_to(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace

RunCurves read_curves(const std::filesystem::path& folder) {
  RunCurves run;
  std::vector<std::int64_t> sequences;  // of the points
  EventReader reader(event_file(folder));
  while (const auto event = reader.next()) {
    run.ended = event->time;
    run.end.reset();
    if (const auto* first = std::get_if<RunLine>(&event->line)) {
      run.id = first->run;
      run.parameters = first->parameters;
      run.started = event->time;
    } else if (const auto* attempt = std::get_if<AttemptLine>(&event->line)) {
      while (!sequences.empty() && sequences.back() > attempt->from_seq) {
        sequences.pop_back();
        run.points.pop_back();
      }
    } else if (const auto* metrics = std::get_if<MetricsLine>(&event->line)) {
      sequences.push_back(event->sequence);
      run.points.push_back({metrics->step, event->time, metrics->values});
    } else if (const auto* end = std::get_if<EndLine>(&event->line)) {
      run.end = end->state;
    }
  }
  return run;
}

std::vector<std::string> varying_parameters(Database& database,
                                            const std::vector<std::string>& ids) {
  struct Seen {
    std::string value;
    std::size_t runs = 0;
    bool differs = false;
  };
  std::map<std::string, Seen> seen;
  const std::set<std::string> chosen(ids.begin(), ids.end());
  Statement select(database, "SELECT id, key, value FROM runs JOIN parameters USING (run)");
  while (select.step()) {
    if (!chosen.contains(select.text(0))) continue;
    Seen& key = seen[select.text(1)];
    if (key.runs++ == 0) key.value = select.text(2);
    key.differs = key.differs || key.value != select.text(2);
  }
  std::vector<std::string> varying;
  for (const auto& [name, key] : seen)
    if (key.differs || key.runs < ids.size()) varying.push_back(name);
  return varying;
}

Grid curve_rows(const RunCurves& run, const std::vector<std::string>& parameters) {
  Grid grid{{"id"}, {}};
  grid.headers.insert(grid.headers.end(), parameters.begin(), parameters.end());
  grid.headers.insert(grid.headers.end(), {"metric", "step", "value", "time"});
  std::vector<Cell> start = {run.id};
  for (const std::string& key : parameters) start.push_back(parameter_cell(run, key));
  for (const CurvePoint& point : run.points)
    for (const auto& [metric, value] : point.values) {
      grid.rows.push_back(start);
      grid.rows.back().insert(grid.rows.back().end(), {metric, point.step, value, point.time});
    }
  return grid;
}

std::string folder_name(const RunCurves& run, const std::vector<std::string>& parameters) {
  constexpr std::size_t kMostBytes = 200, kDigits = 8;
  std::string name;
  for (const std::string& key : parameters)
    if (const Cell cell = parameter_cell(run, key); !std::holds_alternative<std::monostate>(cell))
      name += key + "=" + cell_text(cell) + ", ";
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '/' || c == '\\'; }, '_');
  return cut_to(name, kMostBytes) + run.id.substr(0, kDigits);
}

}  // namespace results
