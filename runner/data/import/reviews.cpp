// Imports IMDB: one file per review, in the folders neg and pos.
#include <algorithm>

#include "runner/data/import/characters.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uintmax_t kMostReview = 1 << 20;  // the longest has 14 000 bytes
// The real reviews have 134 numbers by this rule; S4's code speaks of 135.
constexpr CharacterRule kS4Reviews{.longest = 4096, .rarest = 15};
constexpr DataShape kReviews{.vocabulary = 256, .classes = 2};

std::string review(const fs::path& path, Sha256& contents, bool utf8) {
  const MappedFile file = open_plain(path, contents, kMostReview);
  if (file.bytes().empty()) refuse_file(path, "", "a review", "an empty file");
  if (const std::size_t at = utf8 ? first_not_utf8(file.bytes()) : file.bytes().size();
      at < file.bytes().size())
    refuse_file(path, at_byte(at), "UTF-8", "another byte");
  return std::string(file.bytes());
}

// Alternates between the two labels.
std::vector<NewExample> reviews(const fs::path& folder, Sha256& contents, bool utf8 = false) {
  std::array<std::vector<fs::path>, 2> files;
  for (std::size_t label = 0; label < 2; ++label) {
    const fs::path inside = folder / (label == 0 ? "neg" : "pos");
    files[label] = plain_files_in(inside, ".txt", "reviews");
    if (files[label].empty()) refuse_file(inside, "", "reviews in files *.txt", "none");
  }
  std::vector<NewExample> examples;
  for (std::size_t i = 0; i < std::max(files[0].size(), files[1].size()); ++i)
    for (std::uint32_t label = 0; label < 2; ++label)
      if (i < files[label].size())
        examples.push_back({{review(files[label][i], contents, utf8)}, label, {}});
  return examples;
}

Taken as_in_the_papers(const fs::path& from, Sha256& contents, bool utf8) {
  Taken taken{kReviews,
              {reviews(from / "train", contents, utf8), {}, reviews(from / "test", contents, utf8)},
              "bytes"};
  taken.examples[1] = taken.examples[2];
  taken.labels = {"neg", "pos"};
  return taken;
}

}  // namespace

Taken read_reviews(const IntakeRow&, const fs::path& from, Sha256& contents) {
  return as_in_the_papers(from, contents, false);
}

// Nine pairs of reviews for training, the next pair for validation, so that the test split selects
// nothing.
Taken read_reviews_honestly(const IntakeRow&, const fs::path& from, Sha256& contents) {
  Taken taken{kReviews, {std::vector<NewExample>(), {}, reviews(from / "test", contents)}, "bytes"};
  std::size_t i = 0;
  for (NewExample& example : reviews(from / "train", contents))
    taken.examples[i++ / 2 % 10 == 9 ? 1 : 0].push_back(std::move(example));
  taken.labels = {"neg", "pos"};
  return taken;
}

Taken read_review_characters(const IntakeRow&, const fs::path& from, Sha256& contents) {
  Taken taken = as_in_the_papers(from, contents, true);
  number_characters(kS4Reviews, &taken);
  return taken;
}

}  // namespace runner
