// A fast path for metrics lines as text_of writes them, which are most lines of a file: parsed
// without a JSON tree.
#include <charconv>

#include "results/events/event_text.h"

namespace results {
namespace {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  bool literal(std::string_view wanted) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(wanted))
      return false;
    at_ += wanted.size();
    return true;
  }
  bool integer(std::int64_t* value) { return number(value) && *value >= 0; }
  bool real(double* value) { return number(value) && at_[-1] != '.'; }
  bool plain_name(std::string* name) {
    const char* start = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\\' && *at_ > ' ' && *at_ < 0x7F) ++at_;
    name->assign(start, at_);
    return !name->empty();
  }
  bool done() const { return at_ == end_; }

 private:
  // JSON numbers only: no "inf", no leading point, no leading zeros.
  template <class Number>
  bool number(Number* value) {
    const char* first = at_ + (at_ < end_ && *at_ == '-' ? 1 : 0);
    const auto digit = [&](const char* at) { return at < end_ && *at >= '0' && *at <= '9'; };
    if (!digit(first) || (*first == '0' && digit(first + 1))) return false;
    const auto [stop, error] = std::from_chars(at_, end_, *value);
    if (error != std::errc{}) return false;
    at_ = stop;
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

bool parse_plain_metrics(std::string_view text, Event* event) {
  Cursor cursor(text);
  MetricsLine line;
  const bool head = cursor.literal("{\"seq\":") && cursor.integer(&event->sequence) &&
                    cursor.literal(",\"attempt\":") && cursor.integer(&event->attempt) &&
                    cursor.literal(",\"time\":") && cursor.real(&event->time) &&
                    cursor.literal(",\"event\":\"metrics\",\"step\":") &&
                    cursor.integer(&line.step) && cursor.literal(",\"values\":{");
  if (!head || event->sequence < 1) return false;
  do {
    auto& [name, value] = line.values.emplace_back();
    if (!cursor.literal("\"") || !cursor.plain_name(&name) || !cursor.literal("\":") ||
        !cursor.real(&value))
      return false;
    // Sorted by name, each once, as the JSON tree returns them.
    if (line.values.size() > 1 && line.values[line.values.size() - 2].first >= name) return false;
  } while (cursor.literal(","));
  if (!cursor.literal("}") || !cursor.done()) return false;
  event->line = std::move(line);
  return true;
}

}  // namespace results
