#include "results/published.h"

#include <charconv>
#include <stdexcept>

#include "results/published_files.h"

namespace results {
namespace {

constexpr std::string_view kHeader = "paper,table,row,task,metric,split,value,params_m,note";

[[noreturn]] void fail(std::size_t line, const std::string& what) {
  throw std::invalid_argument("published numbers, line " + std::to_string(line) + ": " + what);
}

std::vector<std::string> fields_of(std::string_view text, std::size_t line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      fields.back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += text[i];
    }
  }
  if (quoted) fail(line, "a quote is not closed");
  if (fields.size() != 9) fail(line, "expected 9 fields, got " + std::to_string(fields.size()));
  return fields;
}

PublishedValue read_line(std::string_view text, std::size_t line) {
  std::vector<std::string> f = fields_of(text, line);
  PublishedValue result{f[0], f[1], f[2], f[3], f[4], f[5], 0, f[7], f[8]};
  const char* end = f[6].data() + f[6].size();
  const auto [stop, error] = std::from_chars(f[6].data(), end, result.value);
  if (error != std::errc{} || stop != end) fail(line, "'" + f[6] + "' is not a number");
  return result;
}

}  // namespace

std::vector<PublishedValue> parse_published(std::string_view csv) {
  std::vector<PublishedValue> values;
  std::size_t line = 0;
  while (!csv.empty()) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    const std::string_view text = csv.substr(0, end);
    csv.remove_prefix(std::min(end + 1, csv.size()));
    if (++line > 1)
      values.push_back(read_line(text, line));
    else if (text != kHeader)
      fail(1, "expected the header " + std::string(kHeader));
  }
  return values;
}

std::span<const PublishedValue> published_values() {
  static const std::vector<PublishedValue> all = parse_published(kLcsmCsv);
  return all;
}

}  // namespace results
