#include "runner/data/datasets/sounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "runner/data/datasets/data_file.h"

namespace runner {
namespace {

constexpr std::uint32_t kSoundSamples = 512;

std::vector<double> values_of(const NewExample& example) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < example.sequences[0].size() / sizeof(float); ++i)
    values.push_back(value_of(example.sequences[0], Element::kReal, i));
  return values;
}

// The number of sign changes in a part of the samples.
double crossings(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  int count = 0;
  for (std::size_t i = begin + 1; i < end; ++i) count += values[i] * values[i - 1] < 0;
  return count / static_cast<double>(end - begin);
}

// The mean over 300 examples of each kind that occur in the first and the last quarter.
std::map<std::string_view, std::pair<double, double>> crossings_of_kinds() {
  std::map<std::string_view, std::pair<double, double>> sums;
  std::map<std::string_view, int> counts;
  for (std::uint64_t i = 0; i < 600; ++i) {
    RandomStream random(3, Split::kTrain, i);
    const NewExample example = sound_example(random, kSoundSamples);
    const std::vector<double> values = values_of(example);
    auto& [first, last] = sums[kSounds[example.label]];
    first += crossings(values, 0, kSoundSamples / 4);
    last += crossings(values, 3 * kSoundSamples / 4, kSoundSamples);
    ++counts[kSounds[example.label]];
  }
  for (auto& [kind, sum] : sums) {
    EXPECT_GT(counts[kind], 30) << kind;
    sum.first /= counts[kind];
    sum.second /= counts[kind];
  }
  return sums;
}

TEST(Sounds, HaveAMeanOfZeroAndADeviationOfOne) {
  for (const std::uint32_t samples : {64u, kSoundSamples, 16000u}) {
    RandomStream random(1, Split::kTest, samples);
    const std::vector<double> values = values_of(sound_example(random, samples));
    ASSERT_EQ(values.size(), samples);
    double sum = 0, squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / samples, 0, 1e-5);
    EXPECT_NEAR(squares / samples, 1, 1e-4);
  }
}

TEST(Sounds, GoUpAndDownAsTheirNamesSay) {
  auto kinds = crossings_of_kinds();
  ASSERT_EQ(kinds.size(), kSounds.size());
  EXPECT_LT(kinds["low tone"].first, 0.7 * kinds["high tone"].first);
  EXPECT_LT(kinds["rising chirp"].first, 0.8 * kinds["rising chirp"].second);
  EXPECT_GT(0.8 * kinds["falling chirp"].first, kinds["falling chirp"].second);
  EXPECT_LT(kinds["low then high"].first, 0.7 * kinds["low then high"].second);
  EXPECT_GT(0.7 * kinds["high then low"].first, kinds["high then low"].second);
  EXPECT_GT(kinds["white noise"].first, 1.5 * kinds["coloured noise"].first);
}

}  // namespace
}  // namespace runner
