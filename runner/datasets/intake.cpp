#include "runner/datasets/intake.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "lcsm/base/row_names.h"
#include "lcsm/base/safe_text.h"
#include "runner/datasets/listops.h"
#include "runner/datasets/making.h"
#include "runner/files/mapped_file.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;  // of a file
constexpr std::uintmax_t kMostReview = 1 << 20;                 // the longest has 14 000
constexpr std::size_t kMostReviews = 1'000'000;                 // of a folder

[[noreturn]] void refuse(const fs::path& path, const std::string& where,
                         const std::string& expected, const std::string& got) {
  throw IntakeError("'" + path.string() + "'" + where + ": expected " + expected + ", got " +
                    lcsm::safe_text(got));
}

// A link could lead out of the folder, and a device never ends.
MappedFile open_plain(const fs::path& path, Sha256& contents, std::uintmax_t most = kMostBytes) {
  std::error_code none;
  const fs::file_status status = fs::symlink_status(path, none);
  if (fs::is_symlink(status)) refuse(path, "", "a file", "a symbolic link");
  if (!fs::is_regular_file(status)) refuse(path, "", "a file", "none");
  const std::uintmax_t size = fs::file_size(path, none);
  if (none || size > most)
    refuse(path, "", "at most " + std::to_string(most) + " bytes", std::to_string(size));
  MappedFile file(path.string());
  contents.add(file.bytes().data(), file.bytes().size());
  return file;
}

// ----- ListOps: lines of expression, tab, value, after one of names -----

NewExample listops_example(const fs::path& path, std::size_t number, std::string_view line) {
  const std::string where = " line " + std::to_string(number);
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos)
    refuse(path, where, "an expression, a tab, a value",
           "'" + std::string(line.substr(0, 40)) + "'");
  const std::string_view value = line.substr(tab + 1);
  if (value.size() != 1 || value[0] < '0' || value[0] > '9')
    refuse(path, where, "a value from 0 to 9", "'" + std::string(value.substr(0, 40)) + "'");
  try {
    NewExample example{
        {read_listops(line.substr(0, tab))}, static_cast<std::uint32_t>(value[0] - '0'), {}};
    const int found = listops_value(example.sequences[0]);
    if (found != value[0] - '0')
      refuse(path, where, "the value " + std::to_string(found), std::string(value));
    return example;
  } catch (const std::invalid_argument& error) {
    throw IntakeError("'" + path.string() + "'" + where + ": " + error.what());
  }
}

std::vector<NewExample> listops_file(const fs::path& path, Sha256& contents) {
  const MappedFile file = open_plain(path, contents);
  std::string_view rest = file.bytes();
  std::vector<NewExample> examples;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 && line != "Source\tTarget")
      refuse(path, " line 1", "'Source', a tab, 'Target'",
             "'" + std::string(line.substr(0, 40)) + "'");
    if (number > 1) examples.push_back(listops_example(path, number, line));
  }
  return examples;
}

SplitExamples read_listops_release(const fs::path& from, Sha256& contents) {
  return {listops_file(from / "basic_train.tsv", contents),
          listops_file(from / "basic_val.tsv", contents),
          listops_file(from / "basic_test.tsv", contents)};
}

// ----- Retrieval: label, two names, two texts -----
constexpr std::size_t kMostDocument = 10000;  // bytes of a text that the benchmark keeps
NewExample pair_of(const fs::path& path, std::size_t number, std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t end = std::min(line.find('\t', from), line.size());
    fields.push_back(line.substr(from, end - from));
    from = end + 1;
  }
  const std::string where = " line " + std::to_string(number);
  if (fields.size() != 5)
    refuse(path, where, "5 fields between tabs", std::to_string(fields.size()));
  if (fields[0] != "0.0" && fields[0] != "1.0")
    refuse(path, where, "the label 0.0 or 1.0", "'" + std::string(fields[0].substr(0, 40)) + "'");
  return {{std::string(fields[3].substr(0, kMostDocument)),
           std::string(fields[4].substr(0, kMostDocument))},
          fields[0] == "1.0" ? 1u : 0u,
          {}};
}

std::vector<NewExample> pairs_file(const fs::path& path, Sha256& contents) {
  const MappedFile file = open_plain(path, contents);
  std::string_view rest = file.bytes();
  std::vector<NewExample> examples;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    examples.push_back(pair_of(path, number, line));
  }
  return examples;
}

SplitExamples read_pairs(const fs::path& from, Sha256& contents) {
  const auto read = [&](const char* name) { return pairs_file(from / name, contents); };
  return {read("new_aan_pairs.train.tsv"), read("new_aan_pairs.eval.tsv"),
          read("new_aan_pairs.test.tsv")};
}

// ----- Image: rows of a label and three planes of 32 x 32 bytes -----

constexpr std::size_t kPixels = 1024, kCifarRow = 1 + 3 * kPixels;

// As TensorFlow's rgb_to_grayscale makes them of bytes: in float32, then cut.
std::string grey_of(std::string_view planes) {
  std::string grey;
  for (std::size_t i = 0; i < kPixels; ++i) {
    const auto plane = [&](std::size_t which) {
      return static_cast<float>(static_cast<unsigned char>(planes[which * kPixels + i])) / 255;
    };
    const float mean = 0.2989f * plane(0) + 0.587f * plane(1) + 0.114f * plane(2);
    grey += static_cast<char>(static_cast<unsigned char>(std::min(255.0f, mean * 255.5f)));
  }
  return grey;
}

void add_cifar(const fs::path& path, Sha256& contents, std::vector<NewExample>* into) {
  const MappedFile file = open_plain(path, contents);
  const std::string_view bytes = file.bytes();
  if (bytes.size() % kCifarRow != 0)
    refuse(path, " at byte " + std::to_string(bytes.size() / kCifarRow * kCifarRow),
           "rows of 3073 bytes", std::to_string(bytes.size() % kCifarRow) + " bytes");
  for (std::size_t at = 0; at < bytes.size(); at += kCifarRow) {
    const auto label = static_cast<unsigned char>(bytes[at]);
    if (label > 9)
      refuse(path, " at byte " + std::to_string(at), "a label from 0 to 9", std::to_string(label));
    into->push_back({{grey_of(bytes.substr(at + 1, 3 * kPixels))}, label, {}});
  }
}

// The last tenth of what is to train on validates.
SplitExamples read_cifar(const fs::path& from, Sha256& contents) {
  SplitExamples all;
  for (int i = 1; i <= 5; ++i)
    add_cifar(from / ("data_batch_" + std::to_string(i) + ".bin"), contents, &all[0]);
  add_cifar(from / "test_batch.bin", contents, &all[2]);
  const auto cut = all[0].begin() + static_cast<std::ptrdiff_t>(all[0].size() * 9 / 10);
  all[1].assign(std::make_move_iterator(cut), std::make_move_iterator(all[0].end()));
  all[0].erase(cut, all[0].end());
  return all;
}

// ----- Text: a file for each review, in folders neg and pos -----

std::vector<fs::path> reviews_in(const fs::path& folder) {
  std::error_code none;
  if (fs::is_symlink(fs::symlink_status(folder, none)) || !fs::is_directory(folder, none))
    refuse(folder, "", "a folder of reviews", "none, or a symbolic link");
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
    if (files.size() > kMostReviews) refuse(folder, "", "at most a million reviews", "more");
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Both labels in turns.
std::vector<NewExample> reviews(const fs::path& folder, Sha256& contents) {
  const std::array<std::vector<fs::path>, 2> files = {reviews_in(folder / "neg"),
                                                      reviews_in(folder / "pos")};
  std::vector<NewExample> examples;
  for (std::size_t i = 0; i < std::max(files[0].size(), files[1].size()); ++i)
    for (std::uint32_t label = 0; label < 2; ++label)
      if (i < files[label].size())
        examples.push_back(
            {{std::string(open_plain(files[label][i], contents, kMostReview).bytes())}, label, {}});
  return examples;
}

// The papers' validation is the test.
SplitExamples read_reviews(const fs::path& from, Sha256& contents) {
  SplitExamples all = {reviews(from / "train", contents), {}, reviews(from / "test", contents)};
  all[1] = all[2];
  return all;
}

// Ten pairs of reviews to train on, the next pair to validate on: nothing of the test is seen
// before.
SplitExamples read_reviews_honestly(const fs::path& from, Sha256& contents) {
  SplitExamples all = {std::vector<NewExample>(), {}, reviews(from / "test", contents)};
  std::size_t i = 0;
  for (NewExample& example : reviews(from / "train", contents))
    all[i++ / 2 % 10 == 9 ? 1 : 0].push_back(std::move(example));
  return all;
}

constexpr DataShape kText{.vocabulary = 256, .classes = 2};
constexpr std::string_view kImdb =
    "aclImdb_v1.tar.gz of https://ai.stanford.edu/~amaas/data/sentiment";

constexpr std::array kIntakes = {
    IntakeRow{"lra-listops",
              "the released expressions, or others in their format",
              "basic_train.tsv, basic_val.tsv, basic_test.tsv",
              "lra_release.gz of https://github.com/google-research/long-range-arena",
              "7.7 GB",
              "Apache 2.0",
              {.vocabulary = kListOpsTokens.size(), .classes = 10},
              read_listops_release},
    IntakeRow{"lra-retrieval",
              "pairs of papers, byte after byte; does one cite the other?",
              "new_aan_pairs.train.tsv, new_aan_pairs.eval.tsv, new_aan_pairs.test.tsv",
              "lra_release.gz of https://github.com/google-research/long-range-arena",
              "7.7 GB",
              "Apache 2.0",
              {.vocabulary = 256, .classes = 2, .sequences = 2},
              read_pairs},
    IntakeRow{"lra-image",
              "CIFAR-10 in grey, pixel after pixel",
              "data_batch_1.bin to data_batch_5.bin, test_batch.bin",
              "cifar-10-binary.tar.gz of https://www.cs.toronto.edu/~kriz/cifar.html",
              "170 MB",
              "none stated; cite Krizhevsky 2009",
              {.vocabulary = 256, .classes = 10, .length = kPixels, .rows = 32, .columns = 32},
              read_cifar},
    IntakeRow{"lra-text", "IMDB reviews, byte after byte; validation is the test, as in the papers",
              "train/neg, train/pos, test/neg, test/pos", kImdb, "84 MB",
              "none stated; cite Maas 2011", kText, read_reviews},
    IntakeRow{"imdb", "the same, a tenth of what is to train on validates",
              "train/neg, train/pos, test/neg, test/pos", kImdb, "84 MB",
              "none stated; cite Maas 2011", kText, read_reviews_honestly},
};

bool is_there(const fs::path& file, const std::string& recipe) {
  if (!fs::exists(file)) return false;
  try {
    if (DataFile(file.string()).recipe() == recipe) return true;
  } catch (const DataFileError&) {
  }
  throw std::invalid_argument("'" + file.string() +
                              "' is there and has other contents, or is damaged: choose another "
                              "name with --as, or remove it");
}

}  // namespace

std::span<const IntakeRow> intake_rows() { return kIntakes; }

const IntakeRow* find_intake(std::string_view name) { return lcsm::row_named(kIntakes, name); }

void take_dataset(const IntakeRow& row, const fs::path& from, const fs::path& folder) {
  Sha256 contents;
  const SplitExamples all = row.read(from, contents);
  const std::string sum = contents.hex();
  std::array<std::string, 3> recipes;
  std::array<bool, 3> there{};
  for (const Split split : kSplits) {
    const std::size_t i = index_of(split);
    recipes[i] =
        nlohmann::ordered_json{{"name", row.name}, {"contents", sum}, {"split", to_string(split)}}
            .dump();
    there[i] = is_there(split_file(folder, split), recipes[i]);
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw lcsm::WriteError(error.value(), "'" + folder.string() + "' cannot be made: " +
                                              error.message() + "; name another workspace");
  for (const Split split : kSplits)
    if (!there[index_of(split)])
      write_examples(split_file(folder, split), row.shape, recipes[index_of(split)],
                     all[index_of(split)]);
}

}  // namespace runner
