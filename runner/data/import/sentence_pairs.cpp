// Imports pairs of sentences: WMT'16's as MEGA's prepare-wmt16en2de.sh writes them, two parallel
// files; or any others, in tables of two columns. Joins subwords ("lo@@ w"), since a run learns its
// own byte pairs.
#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/data/import/characters.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::string_view kGoesOn = "@@ ";

constexpr DataShape kSentences{.vocabulary = 256, .sequences = 2};

std::string without_subwords(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(kGoesOn, at), line.size());
    text += line.substr(at, end - at);
    at = end < line.size() ? end + kGoesOn.size() : end;
  }
  return text;
}

std::string sentence(const fs::path& path, std::size_t number, std::string_view line) {
  if (line.find_first_not_of(' ') == std::string_view::npos)
    refuse_file(path, at_line(number), "a sentence", "an empty line");
  if (first_not_utf8(line) < line.size())
    refuse_file(path, at_line(number), "UTF-8", "another byte in " + quoted_start(line));
  return std::string(line);
}

// The sentences of a file, a line each.
std::vector<std::string> sentences(const fs::path& path, bool subwords, Sha256& contents) {
  const MappedFile file = open_plain(path, contents);
  std::vector<std::string> all;
  for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
    std::string text = sentence(path, number, line);
    all.push_back(subwords ? without_subwords(text) : std::move(text));
  });
  if (all.empty()) refuse_file(path, "", "sentences", "none");
  return all;
}

void same_number(const fs::path& path, std::size_t expected, std::size_t got) {
  if (got != expected)
    refuse_file(path, "", std::to_string(expected) + " lines, as the other language has",
                std::to_string(got));
}

}  // namespace

Taken read_wmt16(const IntakeRow&, const fs::path& from, Sha256& contents) {
  struct Files {
    std::string tokenized, published;  // names without the language; "": not compared with
  };
  constexpr std::array kLanguages = {".en", ".de"};
  const std::array<Files, 3> files = {Files{"train.tok.clean.bpe.32000", ""},
                                      Files{"newstest2013.tok.bpe.32000", "newstest2013"},
                                      Files{"newstest2014.tok.bpe.32000", "newstest2014"}};
  Taken taken{kSentences, {}, "bytes"};
  for (const Split split : kSplits) {
    const Files& names = files[index_of(split)];
    std::vector<NewExample>& examples = taken.examples[index_of(split)];
    for (const std::string language : kLanguages) {
      const fs::path path = from / (names.tokenized + language);
      std::vector<std::string> texts = sentences(path, true, contents);
      if (!names.published.empty()) {
        const fs::path published = from / (names.published + language);
        const std::vector<std::string> lines = sentences(published, false, contents);
        same_number(published, texts.size(), lines.size());
        for (std::size_t i = 0; i < texts.size(); ++i) texts[i] += "\n" + lines[i];
      }
      if (language == kLanguages[0]) {
        for (std::string& text : texts) examples.push_back({{std::move(text)}, 0, {}});
      } else {
        same_number(path, examples.size(), texts.size());
        for (std::size_t i = 0; i < texts.size(); ++i)
          examples[i].sequences.push_back(std::move(texts[i]));
      }
    }
  }
  return taken;
}

Taken read_sentence_pairs(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  Taken taken{kSentences, {}, "bytes"};
  const std::vector<std::string> names = lcsm::words_of(row.files);
  for (const Split split : kSplits) {
    const fs::path path = from / names[index_of(split)];
    const MappedFile file = open_plain(path, contents);
    std::vector<NewExample>& examples = taken.examples[index_of(split)];
    for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
      const std::vector<std::string_view> fields = fields_of(line, '\t');
      if (fields.size() != 2)
        refuse_file(path, at_line(number), "two sentences with a tab between them",
                    std::to_string(fields.size()) + " fields");
      examples.push_back(
          {{sentence(path, number, fields[0]), sentence(path, number, fields[1])}, 0, {}});
    });
    if (examples.empty()) refuse_file(path, "", "pairs of sentences", "none");
  }
  return taken;
}

}  // namespace runner
