#include "results/tables/table_values.h"

#include <stdexcept>

#include "results/events/metric.h"
#include "results/tables/table_runs.h"
#include "results/text/number_text.h"

namespace results {
namespace {

const char* best_of(const std::string& metric) {
  return lower_is_better(metric) ? "lowest" : "highest";
}

bool is_of_test(const std::string& metric) { return metric.starts_with("test."); }

void refuse_test(const std::string& text, const std::string& metric) {
  throw std::invalid_argument("expected a step that is not chosen by a test metric, got '" + text +
                              "': write " + metric + "@last, or " + metric +
                              "@valid.ppl for its value at the best step of valid.ppl");
}

}  // namespace

const std::string& parameter(const TableRun& run, std::string_view key) {
  static const std::string kNone;
  const auto found = run.parameters.find(key);
  return found == run.parameters.end() ? kNone : found->second;
}

Reduction parse_value(const std::string& text) {
  const std::size_t at = text.find('@');
  Reduction out{text.substr(0, at)};
  const std::string how = at == std::string::npos ? "last" : text.substr(at + 1);
  const auto step = whole_number_in(how);
  if (how == "last") return out;
  if (how == "best") {
    if (is_of_test(out.metric)) refuse_test(text, out.metric);
    out.how = Reduction::How::kBest;
  } else if (step && *step >= 0) {
    out.how = Reduction::How::kStep;
    out.step = *step;
  } else if (how.find('=') != std::string::npos) {
    out.how = Reduction::How::kEvaluated;
    out.other = how;
  } else if (how.find('.') != std::string::npos) {
    if (is_of_test(how)) refuse_test(text, out.metric);
    out.how = Reduction::How::kWhere;
    out.other = how;
  } else {
    throw std::invalid_argument(
        "expected METRIC, METRIC@last, METRIC@best, METRIC@STEP, METRIC@OTHER.METRIC or "
        "METRIC@KEY=VALUE, got '" +
        text + "'");
  }
  return out;
}

std::string select_value(const Reduction& reduction, const std::string& scope) {
  if (reduction.how == Reduction::How::kEvaluated)  // of the newest, if there are several steps
    return "SELECT run, value, max(time), step <> (SELECT last_step FROM summaries s "
           "WHERE s.run = e.run AND s.metric = e.metric) "
           "FROM evaluations e WHERE metric = ?2 AND settings = ?3 AND " +
           scope + " GROUP BY run";
  const std::string runs = "FROM summaries s WHERE metric = ?2 AND " + scope;
  switch (reduction.how) {
    case Reduction::How::kLast:
      return "SELECT run, last " + runs;
    case Reduction::How::kBest:
      return std::string("SELECT run, ") + best_of(reduction.metric) + " " + runs;
    default:
      break;
  }
  const std::string step = reduction.how == Reduction::How::kStep
                               ? "?3"
                               : std::string("(SELECT ") + best_of(reduction.other) +
                                     "_step FROM summaries o WHERE o.run = s.run AND metric = ?3)";
  return "SELECT run, (SELECT value FROM metrics m JOIN attempts USING (run, attempt) "
         "WHERE m.run = s.run AND m.metric = ?2 AND step = " +
         step + " AND (kept_to IS NULL OR seq <= kept_to) ORDER BY seq DESC LIMIT 1) " + runs;
}

void bind_value(const Reduction& reduction, Statement* select) {
  select->bind(2, reduction.metric);
  if (reduction.how == Reduction::How::kStep) select->bind(3, reduction.step);
  if (reduction.how == Reduction::How::kWhere || reduction.how == Reduction::How::kEvaluated)
    select->bind(3, reduction.other);
}

std::string text_of(const Database& database, const Value& value) {
  Statement select(database, "SELECT ?1");
  if (const auto* flag = std::get_if<bool>(&value)) select.bind_all(*flag);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) select.bind_all(*whole);
  if (const auto* real = std::get_if<double>(&value)) select.bind_all(*real);
  if (const auto* text = std::get_if<std::string>(&value)) select.bind_all(*text);
  if (const auto* list = std::get_if<List>(&value)) select.bind_all(list->json);
  select.step();
  return select.text(0);
}

}  // namespace results
