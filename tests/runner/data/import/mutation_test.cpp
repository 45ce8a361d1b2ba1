// Files with random mistakes, in every format, are read or refused with a sentence.
#include <cstdlib>
#include <random>

#include "runner/data/import/archive.h"
#include "tests/runner/data/import/sample_archive.h"
#include "tests/runner/data/import/sample_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// LCSM_FUZZ sets the number of files of each format, 2000 by default.
int rounds() {
  const char* const requested = std::getenv("LCSM_FUZZ");
  return requested != nullptr ? std::atoi(requested) : 2000;
}

// Mutates a file: other bytes, characters that formats use, a missing piece, a piece twice.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }

  std::string mutated(std::string bytes) {
    constexpr std::string_view kKnown = "]\t\n[ 9.X0-\r'/\\";
    for (std::size_t i = 0; i <= below(3) && !bytes.empty(); ++i) {
      const std::size_t at = below(bytes.size()),
                        count = below(std::min<std::size_t>(9, bytes.size()));
      switch (below(5)) {
        case 0:
          bytes[at] = static_cast<char>(below(256));
          break;
        case 1:
          bytes[at] = kKnown[below(kKnown.size())];
          break;
        case 2:
          bytes.resize(at);
          break;
        case 3:
          bytes.erase(at, count);
          break;
        default:
          bytes.insert(at, bytes.substr(at, count));
          break;
      }
    }
    return bytes;
  }

 private:
  std::mt19937 random_;
};

class Mutations : public OthersFiles, public ::testing::WithParamInterface<SampleFormat> {};

}  // namespace

TEST_P(Mutations, AreReadOrRefused) {
  const auto& [row, files] = GetParam();
  put(files);
  Mutator mutator(7);
  int refused = 0;
  for (int round = 0; round < rounds(); ++round) {
    const auto& [name, good] =
        *std::next(files.begin(), static_cast<std::ptrdiff_t>(mutator.below(files.size())));
    put(name, mutator.mutated(good));
    Sha256 contents;
    try {
      row.read(row, from(), contents);
    } catch (const IntakeError& error) {
      ASSERT_TRUE(has(error.what(), "'")) << error.what();
      ++refused;
    }
    put(name, good);
  }
  EXPECT_GT(refused, rounds() / 20);
  EXPECT_LT(refused, rounds());
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutations, ::testing::ValuesIn(sample_formats()),
                         [](const auto& test) {
                           std::string name(test.param.row.name);
                           std::erase(name, '-');
                           return name;
                         });

namespace {

class MutatedArchives : public OthersFiles, public ::testing::WithParamInterface<std::string> {};

}  // namespace

TEST_P(MutatedArchives, LeadNowhereElse) {
  const std::string good = sample_archive(
      GetParam(),
      {{"top/a/1.txt", "one"}, {"top/a/2.txt", std::string(3000, 'x')}, {"top/b.txt", "three"}});
  Mutator mutator(11);
  const fs::path archive = at("set" + GetParam());
  int refused = 0;
  for (int round = 0; round < rounds(); ++round) {
    put_file(archive, mutator.mutated(good));
    fs::create_directory(to());
    try {
      unpack({archive, "a/*.txt b.txt set", "", 100'000}, to());
    } catch (const IntakeError&) {
      ++refused;
    }
    fs::remove_all(to());
    const auto left = std::distance(fs::directory_iterator(archive.parent_path()), {});
    ASSERT_EQ(left, 1) << "something beside the archive";
  }
  EXPECT_GT(refused, rounds() / 20);
}

INSTANTIATE_TEST_SUITE_P(Formats, MutatedArchives,
                         ::testing::Values(".tar", ".tar.gz", ".tar.xz", ".zip"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '.');
                           return name;
                         });

}  // namespace runner
