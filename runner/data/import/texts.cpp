#include "runner/data/import/texts.h"

#include <numeric>
#include <unordered_set>

#include "lcsm/base/words.h"
#include "runner/base/files/text_lines.h"
#include "runner/config/run/run_config.h"
#include "runner/data/import/characters.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kStart = 4096;  // bytes that have a title

std::uint64_t words_with_ends(std::string_view text) {
  std::uint64_t words = 0;
  for_each_line(text, [&](std::string_view line) {
    ++words;
    for_each_word(line, [&](std::string_view) { ++words; });
  });
  return words;
}

TakenText whole_text(const fs::path& path, Sha256& contents) {
  TakenText text{path.filename().string(), open_plain(path, contents)};
  text.end = text.file.bytes().size();
  if (const std::size_t at = first_not_utf8(text.bytes()); at < text.end)
    refuse_file(path, at_byte(at), "UTF-8", "another byte");
  return text;
}

}  // namespace

TextFacts text_facts(std::string_view text) {
  TextFacts facts{.bytes = text.size()};
  std::unordered_set<std::string_view> seen;
  for_each_line(text, [&](std::string_view line) {
    ++facts.lines;
    for_each_word(line, [&](std::string_view word) {
      ++facts.words;
      facts.unknown += word == "<unk>";
      seen.insert(word);
    });
  });
  facts.words += facts.lines;
  facts.distinct = seen.size() + (facts.lines > 0 && !seen.contains("<eos>") ? 1 : 0);
  return facts;
}

Taken read_wikitext(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  Taken taken;
  const std::vector<std::string> names = lcsm::words_of(row.files);
  for (std::size_t split = 0; split < names.size(); ++split) {
    const fs::path path = from / names[split];
    TakenText text = whole_text(path, contents);
    if (text.bytes().substr(0, kStart).find("\n = ") == std::string_view::npos)
      refuse_file(path, "", "a title between ' = ' at the start, as WikiText has",
                  quoted_start(text.bytes()));
    const std::uint64_t expected = row.words[split];
    if (const std::uint64_t words = expected > 0 ? words_with_ends(text.bytes()) : 0;
        words != expected)
      refuse_file(path, at_byte(text.end),
                  std::to_string(expected) + " words and ends of lines so far, as released",
                  std::to_string(words));
    taken.texts.push_back(std::move(text));
  }
  return taken;
}

Taken read_one_text(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  const fs::path path = from / row.files;
  Taken taken;
  taken.texts.push_back(whole_text(path, contents));
  if (const std::string found = sha256_hex(taken.texts[0].bytes()); found != row.sha256)
    refuse_file(path, "", "the SHA-256 " + std::string(row.sha256), found);
  return taken;
}

Taken read_cut_text(const CutText& text, const fs::path& from, Sha256& contents) {
  const fs::path path = from / text.file;
  const std::uint64_t size =
      std::accumulate(text.bytes.begin(), text.bytes.end(), std::uint64_t{0});
  Taken taken;
  std::uint64_t begin = 0;
  for (const Split split : kSplits) {
    Sha256 again;
    TakenText part{std::string(to_string(split)) + ".txt",
                   open_plain(path, split == Split::kTrain ? contents : again), begin,
                   begin + text.bytes[index_of(split)]};
    if (part.file.bytes().size() != size)
      refuse_file(path, "", std::to_string(size) + " bytes",
                  std::to_string(part.file.bytes().size()));
    begin = part.end;
    taken.texts.push_back(std::move(part));
  }
  const std::string_view all = taken.texts[0].file.bytes();
  if (!all.starts_with(text.start))
    refuse_file(path, at_byte(0), "'" + std::string(text.start) + "'", quoted_start(all));
  if (sha256_hex(all) != text.sha256)
    refuse_file(path, "", "the SHA-256 " + std::string(text.sha256), sha256_hex(all));
  return taken;
}

Taken read_enwik8(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return read_cut_text({"enwik8",
                        "<mediawiki",
                        {90'000'000, 5'000'000, 5'000'000},
                        "2b49720ec4d78c3c9fabaee6e4179a5e997302b3a70029f30f2d582218c024a8"},
                       from, contents);
}

}  // namespace runner
