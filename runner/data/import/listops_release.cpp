// Imports ListOps as released: lines of expression, tab, value, below a line of names.
#include "runner/data/datasets/listops.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

NewExample expression(const fs::path& path, std::size_t number, std::string_view line) {
  const std::string where = at_line(number);
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos)
    refuse_file(path, where, "an expression, a tab, a value", quoted_start(line));
  const std::string_view value = line.substr(tab + 1);
  if (value.size() != 1 || value[0] < '0' || value[0] > '9')
    refuse_file(path, where, "a value from 0 to 9", quoted_start(value));
  try {
    NewExample example{
        {read_listops(line.substr(0, tab))}, static_cast<std::uint32_t>(value[0] - '0'), {}};
    const int found = listops_value(example.sequences[0]);
    if (found != value[0] - '0')
      refuse_file(path, where, "the value " + std::to_string(found), std::string(value));
    return example;
  } catch (const std::invalid_argument& error) {
    throw IntakeError("'" + path.string() + "' " + where + ": " + error.what());
  }
}

std::vector<NewExample> expressions(const fs::path& path, Sha256& contents) {
  const MappedFile file = open_plain(path, contents);
  std::vector<NewExample> examples;
  for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
    if (number == 1 && line != "Source\tTarget")
      refuse_file(path, at_line(1), "'Source', a tab, 'Target'", quoted_start(line));
    if (number > 1) examples.push_back(expression(path, number, line));
  });
  if (examples.empty()) refuse_file(path, "", "expressions", "none");
  return examples;
}

}  // namespace

Taken read_listops_release(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return {{.vocabulary = kListOpsTokens.size(), .classes = 10},
          {expressions(from / "basic_train.tsv", contents),
           expressions(from / "basic_val.tsv", contents),
           expressions(from / "basic_test.tsv", contents)}};
}

}  // namespace runner
