#include "runner/data/datasets/data_file.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <random>

#include "results/files/checksum.h"
#include "runner/data/datasets/data_file_writer.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

NewExample tokens(std::string bytes, std::uint32_t label) {
  return {{std::move(bytes)}, label, {}};
}

const DataShape kTokens{.vocabulary = 128, .classes = 3};
const DataShape kSmallPictures{
    .vocabulary = 256, .classes = 2, .length = 6, .rows = 2, .columns = 3};
const DataShape kReals{.element = Element::kReal, .channels = 2, .targets = 3, .length = 2};
const DataShape kPairs{
    .element = Element::kShort, .vocabulary = 65536, .classes = 2, .sequences = 2};

struct Sample {
  DataShape shape;
  std::vector<NewExample> examples;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {kTokens, {tokens("abc", 2), tokens("", 0), tokens("defgh", 1)}},
      {kSmallPictures, {tokens("abcdef", 1), tokens("\xff\x01\x02\x03\x04\x05", 0)}},
      {kReals,
       {{{std::string(16, 'x')}, 0, {1.5f, -2, 3}}, {{std::string(16, 'y')}, 0, {4, 5, 6}}}},
      {kPairs, {{{"abcd", "ef"}, 1, {}}, {{"", "ghijkl"}, 0, {}}}},
      {kTokens, {}},
      {kTokens, {tokens(std::string(3 << 20, 'q'), 1), tokens("end", 2)}},
  };
  return all;
}

class DataFiles : public ::testing::Test {
 protected:
  std::string path(const std::string& name = "file") const {
    return (scratch_.path() / name).string();
  }

  void write(const Sample& sample) const {
    std::uint64_t steps = 0;
    for (const NewExample& example : sample.examples)
      for (const std::string& sequence : example.sequences)
        steps += sequence.size() / sample.shape.step_bytes();
    DataFileWriter writer(path(), sample.shape, "{\"a\":1}", sample.examples.size(), steps);
    for (const NewExample& example : sample.examples) writer.add(example);
    writer.keep();
  }
  std::string bytes_of(const Sample& sample) const {
    write(sample);
    return read_file(path());
  }
  // Opens and reads the whole file; returns the message if it is refused.
  std::string refusal(const std::string& bytes) const {
    std::ofstream(path("broken"), std::ios::binary) << bytes;
    try {
      const DataFile file(path("broken"));
      file.verify();
      for (std::uint64_t i = 0; i < file.examples(); ++i) sum_ += sum_of(read_example(file, i));
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "";
  }

 private:
  static std::uint64_t sum_of(const NewExample& example) {
    std::uint64_t sum = example.label;
    for (const std::string& sequence : example.sequences)
      for (const char byte : sequence) sum += static_cast<unsigned char>(byte);
    return sum;
  }
  const ScratchFolder scratch_;
  mutable std::uint64_t sum_ = 0;  // so that every byte is read
};

template <class T>
void set(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T get(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Recomputes the checksums, as if the writer had meant the content.
std::string with_sums(std::string bytes) {
  if (bytes.size() < sizeof(DataHeader)) return bytes;
  DataHeader header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  if (header.recipe_bytes > bytes.size() - sizeof header) return bytes;
  set(bytes, offsetof(DataHeader, sum),
      header_sum(header, std::string_view(bytes).substr(sizeof header, header.recipe_bytes)));
  const std::size_t end = bytes.size() - 4;
  const DataLayout at = layout_of(header);
  if (at.ends < end && at.index_sum == end)
    set(bytes, end, results::crc32(std::string_view(bytes).substr(at.ends, end - at.ends)));
  return bytes;
}

}  // namespace

TEST_F(DataFiles, GiveBackWhatWasWritten) {
  for (const Sample& sample : samples()) {
    write(sample);
    const DataFile file(path());
    file.verify();
    EXPECT_EQ(file.shape(), sample.shape);
    EXPECT_EQ(file.recipe(), "{\"a\":1}");
    ASSERT_EQ(file.examples(), sample.examples.size());
    for (std::uint64_t i = 0; i < file.examples(); ++i)
      EXPECT_EQ(read_example(file, i), sample.examples[i]) << i;
    EXPECT_THROW(file.sequence(file.examples()), std::out_of_range);
  }
}

TEST_F(DataFiles, SayWhereTheyAreDamaged) {
  const std::string good = bytes_of(samples()[0]);
  EXPECT_EQ(refusal(good), "");
  EXPECT_TRUE(
      has(refusal("lcsmset2" + good.substr(8)), "at byte 7: expected version 1, got version '2'"));
  EXPECT_TRUE(has(refusal("PNG" + good), "at byte 0: expected a data file"));
  EXPECT_TRUE(has(refusal(good.substr(0, 100)), "at byte 100: expected a header of 128 bytes"));
  EXPECT_TRUE(has(refusal(good.substr(0, good.size() - 1)), "expected a file of "));
  EXPECT_TRUE(has(refusal(good + "x"), "expected a file of "));
  for (std::size_t at = 8; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 16);
    // Zeros between the parts mean nothing.
    const bool gap = at >= 135 && at < 192;
    EXPECT_EQ(refusal(bad).empty(), gap) << at;
  }
}

TEST_F(DataFiles, RefuseAbsurdClaimsBeforeTheyUseThem) {
  const std::string good = bytes_of(samples()[0]);
  const auto with = [&](std::size_t at, auto value) {
    std::string bytes = good;
    set(bytes, at, value);
    return refusal(with_sums(bytes));
  };
  const std::size_t shape = offsetof(DataHeader, shape);
  EXPECT_TRUE(has(with(offsetof(DataHeader, examples), ~std::uint64_t{0}), "expected examples"));
  EXPECT_TRUE(
      has(with(offsetof(DataHeader, examples), std::uint64_t{1} << 61), "expected examples"));
  EXPECT_TRUE(has(with(offsetof(DataHeader, steps), std::uint64_t{1} << 62), "expected steps"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, channels), 65536u), "that fit into the file"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, element), 9u), "a kind of element"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, sequences), 3u), "expected sequences"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, rows), 7u), "rows x columns = length"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, length), 4u), "a length for each sequence"));
  EXPECT_TRUE(has(with(offsetof(DataHeader, recipe_bytes), ~0u), "bytes of the recipe"));
  EXPECT_TRUE(has(with(shape + offsetof(DataShape, classes), 2u), "a label below 2, got 2"));
}

TEST_F(DataFiles, RefuseEndsThatGoBack) {
  std::string bytes = bytes_of(samples()[0]);
  const std::size_t ends = 192 + 8;
  ASSERT_EQ(get<std::uint64_t>(bytes, ends), 3u);
  set(bytes, ends + 8, std::uint64_t{2});
  EXPECT_TRUE(has(refusal(with_sums(bytes)), "at byte 208: expected an end from 3 to 8, got 2"));
  set(bytes, ends + 8, std::uint64_t{1} << 60);
  EXPECT_TRUE(has(refusal(with_sums(bytes)), "expected an end from 3 to 8"));
}

TEST_F(DataFiles, FindADamagedBlockOfTheData) {
  std::string bytes = bytes_of(samples()[5]);
  bytes[192 + (5 << 19)] ^= 1;
  EXPECT_TRUE(has(refusal(bytes), "at byte " + std::to_string(192 + (2 << 20)) + ": expected the"));
}

TEST_F(DataFiles, TheWriterRefusesARecipeThatNoReaderWouldTake) {
  const std::string longest(kMostRecipe + 1, 'x');
  EXPECT_TRUE(has(message_of([&] { DataFileWriter(path(), kSmallPictures, longest, 1, 6); }),
                  "bytes, got 67108865; shorten the labels"));
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(DataFiles, TheWriterRefusesOtherExamplesThanAnnounced) {
  DataFileWriter writer(path(), kSmallPictures, "", 1, 6);
  EXPECT_THROW(writer.add(tokens("abc", 0)), std::logic_error);
  EXPECT_THROW(writer.add(tokens("abcdef", 2)), std::logic_error);
  EXPECT_THROW(writer.keep(), std::logic_error);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

// LCSM_FUZZ sets the number of files, 3000 by default. Half of them have valid checksums.
TEST_F(DataFiles, MutatedFilesAreReadOrRefused) {
  const char* const requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 3000;
  std::vector<std::string> good;
  for (std::size_t i = 0; i < 5; ++i) good.push_back(bytes_of(samples()[i]));
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return random() % n; };
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = good[below(good.size())];
    for (std::size_t i = 0; i <= below(4); ++i) {
      const std::size_t at = below(below(2) == 0 ? 128 : bytes.size() - 8);
      if (below(2) == 0)
        bytes[at] = static_cast<char>(below(256));
      else
        set(bytes, at / 4 * 4, below(3) == 0 ? ~0u >> below(32) : static_cast<unsigned>(below(70)));
    }
    if (below(8) == 0) bytes.resize(below(bytes.size() + 1));
    refused += !refusal(below(2) == 0 ? bytes : with_sums(bytes)).empty();
  }
  EXPECT_GT(refused, rounds / 2);
}

}  // namespace runner
