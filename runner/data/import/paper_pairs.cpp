// Imports Retrieval as released: label, two names, two texts, separated by tabs, without quotes, as
// TensorFlow reads it. (S4's reader lets a text that begins with a quote run on.)
#include "runner/data/import/characters.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostDocument = 10000;  // bytes of a text that the benchmark keeps
constexpr CharacterRule kS4{.longest = 4000, .rarest = 1};

NewExample pair_of(const fs::path& path, std::size_t number, std::string_view line, bool utf8) {
  const std::vector<std::string_view> fields = fields_of(line, '\t');
  const std::string where = at_line(number);
  if (fields.size() != 5)
    refuse_file(path, where, "5 fields between tabs", std::to_string(fields.size()));
  if (fields[0] != "0.0" && fields[0] != "1.0")
    refuse_file(path, where, "the label 0.0 or 1.0", quoted_start(fields[0]));
  NewExample example{{}, fields[0] == "1.0" ? 1u : 0u, {}};
  example.sequences.clear();
  for (const std::string_view text : {fields[3], fields[4]}) {
    if (text.empty()) refuse_file(path, where, "two texts", "an empty one");
    if (utf8 && first_not_utf8(text) < text.size())
      refuse_file(path, where, "UTF-8",
                  "another byte after " + std::to_string(first_not_utf8(text)) + " of a text");
    // S4 keeps characters, at most four bytes each.
    example.sequences.emplace_back(text.substr(0, utf8 ? 4 * kS4.longest : kMostDocument));
  }
  return example;
}

SplitExamples pairs(const fs::path& from, Sha256& contents, bool utf8) {
  SplitExamples all;
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr std::array kFiles = {"new_aan_pairs.train.tsv", "new_aan_pairs.eval.tsv",
                                   "new_aan_pairs.test.tsv"};
    const fs::path path = from / kFiles[i];
    const MappedFile file = open_plain(path, contents);
    for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
      all[i].push_back(pair_of(path, number, line, utf8));
    });
    if (all[i].empty()) refuse_file(path, "", "pairs of texts", "none");
  }
  return all;
}

constexpr DataShape kPairs{.vocabulary = 256, .classes = 2, .sequences = 2};

}  // namespace

Taken read_pairs(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return {kPairs, pairs(from, contents, false), "bytes"};
}

Taken read_pair_characters(const IntakeRow&, const fs::path& from, Sha256& contents) {
  Taken taken{kPairs, pairs(from, contents, true)};
  number_characters(kS4, &taken);
  return taken;
}

}  // namespace runner
