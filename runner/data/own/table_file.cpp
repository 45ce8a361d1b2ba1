#include "runner/data/own/table_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "lcsm/base/safe_text.h"
#include "lcsm/base/words.h"
#include "runner/data/tokens/unicode_classes.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kShownBytes = 40;  // bytes of a field in an error
constexpr std::size_t kShownNames = 10;  // of columns

std::string shown(std::string_view text) {
  return "'" + std::string(text.substr(0, kShownBytes)) + (text.size() > kShownBytes ? "..." : "") +
         "'";
}

std::string names(const std::vector<std::string>& all) {
  const std::span some(all.data(), std::min(all.size(), kShownNames));
  return lcsm::joined_of(some, shown) +
         (all.size() > some.size() ? " and " + std::to_string(all.size() - some.size()) + " more"
                                   : "");
}

void check_utf8(const fs::path& path, std::string_view bytes) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte == '\n') ++line;
    const std::size_t size = byte < 0x80 ? 1 : character_at(bytes, at).bytes;
    if (byte >= 0x80 && size == 1)
      refuse_line(path, line, "text in UTF-8 (iconv converts others)",
                  "the byte " + std::to_string(byte));
    at += size;
  }
}

// ----- CSV and TSV -----

class Records {
 public:
  Records(const fs::path& path, std::string_view bytes, char separator, bool quotes)
      : path_(path), bytes_(bytes), separator_(separator), quotes_(quotes) {}

  // Reads the next line that is not blank; false at the end.
  bool next(std::vector<std::string>* fields) {
    while (at_ < bytes_.size()) {
      begin_ = line_;
      fields->clear();
      do fields->push_back(field());
      while (take(separator_));
      end_line();
      if (fields->size() > 1 || !fields->front().empty()) return true;
    }
    return false;
  }
  std::size_t line() const { return begin_; }

 private:
  bool take(char c) {
    if (at_ >= bytes_.size() || bytes_[at_] != c) return false;
    ++at_;
    return true;
  }

  void end_line() {
    take('\r');
    if (at_ < bytes_.size() && !take('\n'))
      refuse_line(path_, line_, "the end of the field after its closing quote",
                  shown(rest_of_line()));
    ++line_;
  }

  std::string_view rest_of_line() const { return bytes_.substr(at_, bytes_.find('\n', at_) - at_); }

  std::string field() { return quotes_ && take('"') ? in_quotes() : plain(); }

  std::string plain() {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto end =
        std::find_if(begin, bytes_.end(), [this](char c) { return c == separator_ || c == '\n'; });
    std::string_view found(begin, end);
    if ((end == bytes_.end() || *end == '\n') && found.ends_with('\r')) found.remove_suffix(1);
    if (quotes_ && found.find('"') != std::string_view::npos)
      refuse_line(path_, line_, "quotes doubled, in a field between quotes", shown(found));
    at_ += found.size();
    return std::string(found);
  }

  std::string in_quotes() {
    const std::size_t opened = line_;
    std::string text;
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_++];
      if (c == '"' && !take('"')) return text;
      if (c == '\n') ++line_;
      text += c;
    }
    refuse_line(path_, opened, "a closing quote of the field that begins " + shown(text),
                "the end of the file");
  }

  const fs::path& path_;
  std::string_view bytes_;
  char separator_;
  bool quotes_;
  std::size_t at_ = 0, line_ = 1, begin_ = 1;
};

std::size_t place_of(const fs::path& path, const TableColumn& column,
                     const std::vector<std::string>& header) {
  const auto found = std::find(header.begin(), header.end(), column.name);
  if (found == header.end())
    refuse_line(path, 1, "a column " + shown(column.name) + " (" + column.key + " names it)",
                names(header));
  if (std::count(header.begin(), header.end(), column.name) > 1)
    refuse_line(path, 1, "one column " + shown(column.name), names(header));
  return static_cast<std::size_t>(found - header.begin());
}

std::vector<TableRow> read_fields(const fs::path& path, std::string_view bytes, bool csv,
                                  const std::vector<TableColumn>& columns) {
  Records records(path, bytes, csv ? ',' : '\t', csv);
  std::vector<std::string> header, fields;
  if (!records.next(&header)) refuse_line(path, 1, "the names of the columns", "nothing");
  std::vector<std::size_t> places;
  for (const TableColumn& column : columns) places.push_back(place_of(path, column, header));
  std::vector<TableRow> rows;
  while (records.next(&fields)) {
    if (fields.size() != header.size())
      refuse_line(path, records.line(),
                  std::to_string(header.size()) + " fields, as in the first line",
                  std::to_string(fields.size()));
    TableRow row{records.line(), {}};
    for (const std::size_t place : places) row.fields.push_back(fields[place]);
    rows.push_back(std::move(row));
  }
  return rows;
}

// ----- JSON lines -----

std::string field_of(const fs::path& path, std::size_t line, const nlohmann::json& object,
                     const TableColumn& column) {
  const auto found = object.find(column.name);
  if (found == object.end()) {
    std::vector<std::string> all;
    for (const auto& [name, value] : object.items()) all.push_back(name);
    refuse_line(path, line, "a field " + shown(column.name) + " (" + column.key + " names it)",
                names(all));
  }
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number_integer() || found->is_boolean()) return found->dump();
  refuse_line(path, line, "a string, an integer, true or false as " + shown(column.name),
              std::string(found->type_name()));
}

TableRow row_of(const fs::path& path, std::size_t line, std::string_view text,
                const std::vector<TableColumn>& columns) {
  using Json = nlohmann::json;
  std::vector<std::string> keys;  // of the object itself, in which the last of equal keys wins
  const auto note_key = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key) keys.push_back(value);
    return true;
  };
  const Json object = Json::parse(text, note_key, false);
  if (!object.is_object())
    refuse_line(path, line, "a JSON object in the line, such as {\"text\": \"...\"}", shown(text));
  for (const TableColumn& column : columns)
    if (const auto times = std::ranges::count(keys, column.name); times > 1)
      refuse_line(path, line, "the field " + shown(column.name) + " once",
                  "it " + std::to_string(times) + " times");
  TableRow row{line, {}};
  for (const TableColumn& column : columns)
    row.fields.push_back(field_of(path, line, object, column));
  return row;
}

std::vector<TableRow> read_objects(const fs::path& path, std::string_view bytes,
                                   const std::vector<TableColumn>& columns) {
  std::vector<TableRow> rows;
  for (std::size_t line = 1; !bytes.empty(); ++line) {
    const std::string_view text = lcsm::take_until(&bytes, '\n');
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    rows.push_back(row_of(path, line, text, columns));
  }
  return rows;
}

}  // namespace

void refuse_line(const fs::path& path, std::size_t line, const std::string& expected,
                 const std::string& got) {
  throw IntakeError("'" + path.string() + "':" + std::to_string(line) + ": expected " +
                    lcsm::safe_text(expected) + ", got " + lcsm::safe_text(got));
}

std::vector<TableRow> read_table(const fs::path& path, std::string_view bytes,
                                 const std::vector<TableColumn>& columns) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // a byte order mark
  check_utf8(path, bytes);
  if (path.extension() == ".jsonl") return read_objects(path, bytes, columns);
  return read_fields(path, bytes, path.extension() == ".csv", columns);
}

}  // namespace runner
