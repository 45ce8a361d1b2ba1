// Imports the Long Range Arena as MEGA prepared it: texts numbered by fairseq, pictures as lines of
// numbers.
#include "runner/data/import/fairseq_binary.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"
#include "runner/data/tokens/gpt2_bpe.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostLabels = 10;

// A label is a sequence of its number and the end.
std::uint32_t label_of(const FairseqFile& labels, const std::vector<std::string>& names,
                       std::uint64_t i) {
  const std::vector<std::uint32_t> numbers = labels.sequence(i);
  const bool ends = numbers.size() == 2 && numbers[1] == kFairseqEnd;
  if (!(numbers.size() == 1 || ends) || numbers[0] < kFairseqSpecials || numbers[0] >= names.size())
    refuse_file(labels.path(), "sequence " + std::to_string(i),
                "one token of the dictionary, from " + std::to_string(kFairseqSpecials) + " to " +
                    std::to_string(names.size() - 1),
                numbers.empty() ? "none" : std::to_string(numbers[0]));
  return numbers[0] - static_cast<std::uint32_t>(kFairseqSpecials);
}

std::string tokens_of(const FairseqFile& texts, std::size_t vocabulary, std::uint64_t i) {
  std::string tokens;
  for (const std::uint32_t number : texts.sequence(i)) {
    if (number >= vocabulary)
      refuse_file(texts.path(), "sequence " + std::to_string(i),
                  "numbers below " + std::to_string(vocabulary) + ", as the dictionary has",
                  std::to_string(number));
    append_number(&tokens, element_for(vocabulary), number);
  }
  if (tokens.empty()) refuse_file(texts.path(), "sequence " + std::to_string(i), "tokens", "none");
  return tokens;
}

Taken read_texts(const fs::path& from, const std::vector<std::string>& folders, Sha256& contents) {
  Taken taken;
  taken.tokens = "words";
  taken.vocabulary = fairseq_dictionary(from / folders[0] / "dict.txt", contents);
  std::vector<std::string> labels = fairseq_dictionary(from / "label-bin" / "dict.txt", contents);
  taken.shape = {.element = element_for(taken.vocabulary.size()),
                 .vocabulary = static_cast<std::uint32_t>(taken.vocabulary.size()),
                 .sequences = static_cast<std::uint32_t>(folders.size())};
  for (const Split split : kSplits) {
    const std::string name(to_string(split));
    std::vector<FairseqFile> texts;
    for (const std::string& folder : folders) texts.emplace_back(from / folder / name, contents);
    const FairseqFile answers(from / "label-bin" / name, contents);
    for (const FairseqFile& file : texts)
      if (file.size() != answers.size() || file.size() == 0)
        refuse_file(file.path(), "", std::to_string(answers.size()) + " sequences, one per label",
                    std::to_string(file.size()));
    for (std::uint64_t i = 0; i < answers.size(); ++i) {
      NewExample example{{}, label_of(answers, labels, i), {}};
      example.sequences.clear();
      for (const FairseqFile& file : texts)
        example.sequences.push_back(tokens_of(file, taken.vocabulary.size(), i));
      taken.shape.classes = std::max(taken.shape.classes, example.label + 1);
      taken.examples[index_of(split)].push_back(std::move(example));
    }
  }
  if (taken.shape.classes > kMostLabels || taken.shape.classes < 2)
    refuse_file(from / "label-bin", "", "2 to " + std::to_string(kMostLabels) + " labels",
                std::to_string(taken.shape.classes));
  taken.labels.assign(labels.begin() + kFairseqSpecials,
                      labels.begin() + kFairseqSpecials + taken.shape.classes);
  return taken;
}

std::string pixels_of(const fs::path& path, std::size_t number, std::string_view line,
                      std::size_t count) {
  std::string pixels;
  for (const std::string_view word : fields_of(line, ' ')) {
    if (word.empty()) continue;
    const std::int64_t value = whole_number(word);
    if (value < 0 || value > 255)
      refuse_file(path, at_line(number), "numbers from 0 to 255", quoted_start(word));
    pixels += static_cast<char>(value);
    if (pixels.size() > count) break;
  }
  if (pixels.size() != count)
    refuse_file(path, at_line(number), std::to_string(count) + " numbers",
                pixels.size() > count ? "more" : std::to_string(pixels.size()));
  return pixels;
}

}  // namespace

Taken read_mega_texts(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return read_texts(from, {"src-bin"}, contents);
}

Taken read_mega_pairs(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return read_texts(from, {"src-bin", "src1-bin"}, contents);
}

// A line of numbers for each picture, and a line with its label.
Taken read_mega_pictures(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  Taken taken{{.vocabulary = 256,
               .classes = row.classes,
               .length = row.side * row.side,
               .rows = row.side,
               .columns = row.side},
              {}};
  for (const Split split : kSplits) {
    std::vector<NewExample>& examples = taken.examples[index_of(split)];
    const std::string name(to_string(split));
    const fs::path source = from / "input" / (name + ".src");
    const fs::path answers = from / "label" / (name + ".label");
    for_each_numbered_line(open_plain(source, contents).bytes(), [&](auto line, auto number) {
      examples.push_back({{pixels_of(source, number, line, taken.shape.length)}, 0, {}});
    });
    std::size_t labels = 0;
    for_each_numbered_line(open_plain(answers, contents).bytes(), [&](auto line, auto number) {
      const std::int64_t label = whole_number(line);
      if (label < 0 || label >= row.classes)
        refuse_file(answers, at_line(number),
                    "a label from 0 to " + std::to_string(row.classes - 1), quoted_start(line));
      if (labels < examples.size()) examples[labels].label = static_cast<std::uint32_t>(label);
      ++labels;
    });
    if (labels != examples.size() || labels == 0)
      refuse_file(answers, "", std::to_string(examples.size()) + " labels, one per picture",
                  std::to_string(labels));
  }
  return taken;
}

}  // namespace runner
