// Imports the tasks of GLUE as released: tables between tabs, without quotes. The test splits have
// no labels, so the development set validates and tests, as in papers.
#include <algorithm>

#include "lcsm/base/row_names.h"
#include "runner/data/import/characters.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostColumns = 100;

struct GlueTask {
  std::string_view name;                  // of the data set
  std::array<std::string_view, 2> texts;  // columns; the second "": single texts
  std::string_view label;                 // column
  std::string_view labels;                // by class, separated by blanks
  std::string_view columns = "";          // of files without a first line that names them
  std::string_view dev = "dev.tsv";
  std::string_view second_dev = "";  // tested too, reported apart
  bool skips = false;  // skips lines with too few or too many fields, as all published readers do
};

constexpr std::array kGlueTasks = {
    GlueTask{"glue-cola", {"sentence", ""}, "label", "0 1", "source label mark sentence"},
    GlueTask{"glue-sst2", {"sentence", ""}, "label", "0 1"},
    GlueTask{.name = "glue-qqp",
             .texts = {"question1", "question2"},
             .label = "is_duplicate",
             .labels = "0 1",
             .skips = true},
    GlueTask{"glue-mrpc", {"#1 String", "#2 String"}, "Quality", "0 1"},
    GlueTask{.name = "glue-mnli",
             .texts = {"sentence1", "sentence2"},
             .label = "gold_label",
             .labels = "contradiction entailment neutral",
             .dev = "dev_matched.tsv",
             .second_dev = "dev_mismatched.tsv"},
    GlueTask{"glue-qnli", {"question", "sentence"}, "label", "entailment not_entailment"},
    GlueTask{"glue-rte", {"sentence1", "sentence2"}, "label", "entailment not_entailment"},
};

std::string count_of_fields(std::size_t count) { return std::to_string(count) + " fields"; }

class GlueTable {
 public:
  GlueTable(const GlueTask& task, const fs::path& path, Sha256& contents)
      : task_(task), path_(path), file_(open_plain(path, contents)) {
    if (!task.columns.empty()) name_columns(fields_of(task.columns, ' '));
  }

  std::vector<NewExample> read() {
    for_each_numbered_line(file_.bytes(), [&](std::string_view line, std::size_t number) {
      const std::vector<std::string_view> fields = fields_of(line, '\t');
      if (columns_ == 0) return name_columns(fields);
      if (fields.size() != columns_ && task_.skips) return;
      if (fields.size() != columns_)
        refuse(number, count_of_fields(columns_), count_of_fields(fields.size()));
      examples_.push_back(example_of(fields, number));
    });
    if (examples_.empty()) refuse_file(path_, "", "examples", "none");
    return std::move(examples_);
  }

 private:
  [[noreturn]] void refuse(std::size_t number, const std::string& expected,
                           const std::string& got) const {
    refuse_file(path_, at_line(number), expected, got);
  }

  std::size_t place_of(std::string_view column, const std::vector<std::string_view>& names) const {
    const auto found = std::ranges::find(names, column);
    if (found == names.end())
      refuse(1, "a column '" + std::string(column) + "'", quoted_start(names.front()));
    return static_cast<std::size_t>(found - names.begin());
  }

  void name_columns(const std::vector<std::string_view>& names) {
    if (names.size() > kMostColumns)
      refuse(1, "at most " + std::to_string(kMostColumns) + " columns",
             std::to_string(names.size()));
    for (const std::string_view column : task_.texts)
      if (!column.empty()) texts_.push_back(place_of(column, names));
    label_ = place_of(task_.label, names);
    columns_ = names.size();
  }

  NewExample example_of(const std::vector<std::string_view>& fields, std::size_t number) const {
    const std::vector<std::string_view> labels = fields_of(task_.labels, ' ');
    const auto label = std::ranges::find(labels, fields[label_]);
    if (label == labels.end())
      refuse(number, "one of the labels " + std::string(task_.labels),
             quoted_start(fields[label_]));
    NewExample example{{}, static_cast<std::uint32_t>(label - labels.begin()), {}};
    example.sequences.clear();
    for (const std::size_t place : texts_) {
      if (fields[place].empty() && texts_.size() == 1) refuse(number, "a text", "an empty one");
      if (first_not_utf8(fields[place]) < fields[place].size())
        refuse(number, "UTF-8", "another byte in " + quoted_start(fields[place]));
      example.sequences.emplace_back(fields[place]);
    }
    return example;
  }

  const GlueTask& task_;
  fs::path path_;
  MappedFile file_;
  std::vector<std::size_t> texts_;  // columns
  std::size_t label_ = 0, columns_ = 0;
  std::vector<NewExample> examples_;
};

}  // namespace

Taken read_glue(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  const GlueTask& task = *lcsm::row_named(kGlueTasks, row.name);
  const auto read = [&](std::string_view file) {
    return GlueTable(task, from / file, contents).read();
  };
  Taken taken{{.vocabulary = 256, .sequences = task.texts[1].empty() ? 1u : 2u},
              {read("train.tsv"), read(task.dev), {}},
              "bytes"};
  for (const std::string_view label : fields_of(task.labels, ' ')) taken.labels.emplace_back(label);
  taken.shape.classes = static_cast<std::uint32_t>(taken.labels.size());
  taken.examples[2] = taken.examples[1];
  if (task.second_dev.empty()) return taken;
  taken.apart = taken.examples[2].size();
  for (NewExample& example : read(task.second_dev)) taken.examples[2].push_back(std::move(example));
  return taken;
}

}  // namespace runner
