#include "runner/cluster/slurm/job_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "lcsm/base/words.h"

namespace runner {
namespace {

using Field = std::string JobRow::*;

// The fields after the id and the state.
constexpr std::array<Field, 7> kSqueueFields = {&JobRow::reason,  &JobRow::node, &JobRow::start,
                                                &JobRow::account, &JobRow::qos,  &JobRow::name,
                                                &JobRow::comment};
constexpr std::array<Field, 6> kSacctFields = {&JobRow::node, &JobRow::start, &JobRow::account,
                                               &JobRow::qos,  &JobRow::name,  &JobRow::comment};

std::string value_of(std::string_view text) {
  for (const char* none : {"(null)", "N/A", "Unknown", "None assigned"})
    if (text == none) return "";
  return std::string(text);
}

// The last field takes the rest of the line: a comment may contain '|'.
std::optional<JobRow> row_of(std::string_view line, std::span<const Field> fields) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (static_cast<std::size_t>(std::ranges::count(line, '|')) < fields.size() + 1)
    return std::nullopt;
  const std::optional<JobId> id = parse_job_id(lcsm::take_until(&line, '|'));
  if (!id) return std::nullopt;
  JobRow row;
  row.id = *id;
  row.state = &job_state(lcsm::take_until(&line, '|'));
  for (const Field field : fields.first(fields.size() - 1))
    row.*field = value_of(lcsm::take_until(&line, '|'));
  row.*fields.back() = value_of(line);
  return row;
}

std::vector<JobRow> rows_of(std::string_view text, std::span<const Field> fields) {
  std::vector<JobRow> rows;
  while (!text.empty())
    if (auto row = row_of(lcsm::take_until(&text, '\n'), fields)) rows.push_back(std::move(*row));
  return rows;
}

}  // namespace

std::vector<JobRow> parse_squeue(std::string_view text) { return rows_of(text, kSqueueFields); }
std::vector<JobRow> parse_sacct(std::string_view text) { return rows_of(text, kSacctFields); }

}  // namespace runner
