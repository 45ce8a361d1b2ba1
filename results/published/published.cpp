#include "results/published/published.h"

#include <map>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/published/published_files.h"
#include "results/text/number_text.h"

namespace results {
namespace {

constexpr std::string_view kHeader = "paper,table,row,task,metric,split,value,params_m,note";
constexpr std::string_view kSourcesHeader = "paper,table,read_in";
constexpr std::string_view kContentsHeader = "paper,item,shows,sweep,why";

[[noreturn]] void fail(std::size_t line, const std::string& what) {
  throw std::invalid_argument("published numbers, line " + std::to_string(line) + ": " + what);
}

std::vector<std::string> fields_of(std::string_view text, std::size_t line, std::size_t wanted) {
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
  if (fields.size() != wanted)
    fail(line,
         "expected " + std::to_string(wanted) + " fields, got " + std::to_string(fields.size()));
  return fields;
}

PublishedValue read_line(std::string_view text, std::size_t line) {
  std::vector<std::string> f = fields_of(text, line, 9);
  PublishedValue result{f[0], f[1], f[2], f[3], f[4], f[5], 0, f[7], f[8], ""};
  const auto value = number_in(f[6]);
  if (!value) fail(line, "'" + f[6] + "' is not a number");
  result.value = *value;
  return result;
}

// The lines after the header, which must be `header`.
template <class Take>
void for_each_line(std::string_view csv, std::string_view header, const Take& take) {
  std::size_t line = 0;
  while (!csv.empty()) {
    const std::string_view text = lcsm::take_until(&csv, '\n');
    if (++line > 1)
      take(text, line);
    else if (text != header)
      fail(1, "expected the header " + std::string(header));
  }
}

std::vector<PublishedValue> read_all() {
  std::map<std::string, std::string> sources;
  for_each_line(kSourcesCsv, kSourcesHeader, [&](std::string_view text, std::size_t line) {
    const std::vector<std::string> fields = fields_of(text, line, 3);
    sources[fields[0] + "/" + fields[1]] = fields[2];
  });
  std::vector<PublishedValue> all;
  for (const std::string_view csv : kPublishedCsv)
    for (PublishedValue& value : parse_published(csv)) {
      value.read_in = sources[value.paper + "/" + value.table];
      all.push_back(std::move(value));
    }
  return all;
}

}  // namespace

std::vector<PublishedValue> parse_published(std::string_view csv) {
  std::vector<PublishedValue> values;
  for_each_line(csv, kHeader, [&](std::string_view text, std::size_t line) {
    values.push_back(read_line(text, line));
  });
  return values;
}

std::span<const PaperItem> paper_items() {
  static const std::vector<PaperItem> all = [] {
    std::vector<PaperItem> items;
    for_each_line(kContentsCsv, kContentsHeader, [&](std::string_view text, std::size_t line) {
      const std::vector<std::string> f = fields_of(text, line, 5);
      items.push_back({f[0], f[1], f[2], f[3], f[4]});
    });
    return items;
  }();
  return all;
}

std::span<const PublishedValue> published_values() {
  static const std::vector<PublishedValue> all = read_all();
  return all;
}

}  // namespace results
