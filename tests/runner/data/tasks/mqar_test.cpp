#include "runner/data/tasks/mqar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "tests/runner/run_program.h"
#include "tests/runner/shared_files.h"

namespace runner {
namespace {

struct MadeExamples {
  std::vector<std::int32_t> tokens, queries, answers;
};

MadeExamples example(Mqar& maker, const MqarOptions& options, std::uint64_t index,
                     Split split = Split::kTrain) {
  MadeExamples made{std::vector<std::int32_t>(static_cast<std::size_t>(options.length), -1),
                    std::vector<std::int32_t>(static_cast<std::size_t>(options.pairs)),
                    std::vector<std::int32_t>(static_cast<std::size_t>(options.pairs))};
  maker.make(split, index, {made.tokens, made.queries, made.answers});
  return made;
}

MadeExamples example(const MqarOptions& options, std::uint64_t index, Split split = Split::kTrain,
                     std::uint64_t seed = 1) {
  Mqar maker(options, seed);
  return example(maker, options, index, split);
}

// zoology's layout: labels of all positions, -100 where there is no query.
std::vector<std::int32_t> labels_of(const MadeExamples& made) {
  std::vector<std::int32_t> labels(made.tokens.size(), -100);
  for (std::size_t j = 0; j < made.queries.size(); ++j)
    labels[static_cast<std::size_t>(made.queries[j])] = made.answers[j];
  return labels;
}

// Every rule of the task, from tokens and labels alone. Empty = valid.
std::string broken_rule(const std::vector<std::int32_t>& tokens,
                        const std::vector<std::int32_t>& labels, const MqarOptions& o) {
  const auto context = static_cast<std::size_t>(2 * o.pairs);
  std::map<std::int32_t, std::int32_t> value_of;
  std::set<std::int32_t> values;
  for (std::size_t at = 0; at < context; at += 2) {
    const std::int32_t key = tokens[at], value = tokens[at + 1];
    if (key < 1 || key >= o.vocab / 2) return "a key out of range";
    if (value < o.vocab / 2 || value >= o.vocab) return "a value out of range";
    if (!value_of.emplace(key, value).second || !values.insert(value).second) return "one twice";
  }
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (labels[at] == -100) {
      if (at >= context && !o.random_filler && tokens[at] != 0) return "a filler that is not 0";
      if (tokens[at] < 0 || tokens[at] >= o.vocab) return "a filler out of range";
      continue;
    }
    if (at < context || (at - context) % 2 != 0) return "a query at a wrong place";
    const auto pair = value_of.find(tokens[at]);
    if (pair == value_of.end() || pair->second != labels[at]) return "a wrong answer";
    value_of.erase(pair);
  }
  return value_of.empty() ? "" : "a key that is not asked for";
}

using Histogram = std::vector<std::vector<double>>;  // [key][slot]

Histogram histogram(const MqarOptions& options, std::uint64_t examples) {
  const auto D = static_cast<std::size_t>(options.pairs);
  Histogram counts(
      D, std::vector<double>(static_cast<std::size_t>(options.length / 2 - options.pairs)));
  Mqar maker(options, 1);
  for (std::uint64_t index = 0; index < examples; ++index) {
    const MadeExamples made = example(maker, options, index);
    for (std::size_t j = 0; j < D; ++j)
      counts[j][(static_cast<std::size_t>(made.queries[j]) - 2 * D) / 2] += 1;
  }
  return counts;
}

// P(the j-th draw is slot g) of sequential weighted sampling, by walking all ordered draws.
void walk(const std::vector<double>& p, std::vector<bool>& taken, double chance, double left,
          std::size_t j, Histogram& into) {
  if (j == into.size()) return;
  for (std::size_t g = 0; g < p.size(); ++g) {
    if (taken[g]) continue;
    const double here = chance * p[g] / left;
    into[j][g] += here;
    taken[g] = true;
    walk(p, taken, here, left - p[g], j + 1, into);
    taken[g] = false;
  }
}

Histogram exact(std::size_t slots, std::size_t pairs, double power) {
  std::vector<double> p(slots);
  for (std::size_t g = 0; g < slots; ++g) p[g] = std::pow(static_cast<double>(g + 1), power - 1);
  Histogram result(pairs, std::vector<double>(slots));
  std::vector<bool> taken(slots);
  walk(p, taken, 1, std::accumulate(p.begin(), p.end(), 0.0), 0, result);
  return result;
}

// Pearson's statistic in standard deviations from its mean.
double deviation(const std::vector<double>& counts, const std::vector<double>& chances) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double chi = 0;
  for (std::size_t g = 0; g < counts.size(); ++g)
    chi += (counts[g] - all * chances[g]) * (counts[g] - all * chances[g]) / (all * chances[g]);
  const double df = static_cast<double>(counts.size()) - 1;
  return (chi - df) / std::sqrt(2 * df);
}

// An array of an .npz file; unzip is one of the tools that set-up installs.
template <typename T>
std::vector<T> npy(const std::filesystem::path& file, const std::string& name) {
  const std::string bytes = run_program({"unzip", "-p", file, name + ".npy"}).out;
  if (bytes.size() < 10) return {};
  const std::size_t head =
      10 + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  std::vector<T> values((bytes.size() - head) / sizeof(T));
  std::memcpy(values.data(), bytes.data() + head, values.size() * sizeof(T));
  return values;
}

const MqarOptions kSmall{.vocab = 64, .length = 16, .pairs = 4};

}  // namespace

TEST(Mqar, GeneratesValidExamplesOfEveryShape) {
  for (const MqarOptions& options :
       {MqarOptions{}, kSmall, MqarOptions{.vocab = 5, .length = 4, .pairs = 1},
        MqarOptions{.vocab = 33, .length = 32, .pairs = 8}, MqarOptions{.length = 256, .pairs = 16},
        MqarOptions{.length = 512, .pairs = 128}, MqarOptions{.length = 64, .pairs = 4, .power = 3},
        MqarOptions{.vocab = 70, .length = 64, .pairs = 16, .random_filler = true}}) {
    Mqar maker(options, 1);
    for (std::uint64_t index = 0; index < 300; ++index) {
      const MadeExamples made = example(maker, options, index);
      ASSERT_EQ(broken_rule(made.tokens, labels_of(made), options), "") << options.length;
    }
  }
}

TEST(Mqar, GeneratesAnExampleFromItsIndexAlone) {
  Mqar maker(kSmall, 1);
  const MadeExamples third = example(maker, kSmall, 3);
  example(maker, kSmall, 1);
  EXPECT_EQ(example(maker, kSmall, 3).tokens, third.tokens);
  EXPECT_EQ(example(kSmall, 3).tokens, third.tokens);
}

TEST(Mqar, GeneratesOtherExamplesForEachSeedSplitAndIndex) {
  std::set<std::vector<std::int32_t>> seen;
  const MqarOptions options;
  for (const std::uint64_t seed : {0, 1, 2})
    for (const Split split : kSplits)
      for (const std::uint64_t index : {0, 1, 2})
        EXPECT_TRUE(seen.insert(example(options, index, split, seed).tokens).second);
}

// A run's identity includes the examples of its seed.
TEST(Mqar, OfASeedNeverChanges) {
  const MadeExamples made = example(kSmall, 0);
  EXPECT_EQ(made.tokens,
            (std::vector<std::int32_t>{16, 54, 5, 35, 2, 36, 31, 61, 2, 0, 16, 0, 5, 0, 31, 0}));
  EXPECT_EQ(made.queries, (std::vector<std::int32_t>{10, 12, 8, 14}));
}

// 600 000 examples against the exact distribution of each of the four draws: within four standard
// deviations of Pearson's statistic, which a shift of 1.5 % in the commonest slot would exceed.
TEST(Mqar, DrawsSlotsOneAfterTheOtherByWeight) {
  const MqarOptions options{.vocab = 8192, .length = 64, .pairs = 4};
  const Histogram counts = histogram(options, 600000), chances = exact(28, 4, options.power);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_LT(std::abs(deviation(counts[j], chances[j])), 4) << j;
}

TEST(Mqar, DrawsEverySlotWhenThereAreNoMoreThanKeys) {
  const MqarOptions options{.vocab = 64, .length = 16, .pairs = 4, .power = 1};
  const Histogram counts = histogram(options, 4000), chances = exact(4, 4, 1);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_LT(std::abs(deviation(counts[j], chances[j])), 4) << j;
}

TEST(Mqar, DrawsKeysAndValuesAlike) {
  const MqarOptions options{.vocab = 64, .length = 16, .pairs = 4};
  std::vector<double> keys(31), values(32);
  Mqar maker(options, 1);
  for (std::uint64_t index = 0; index < 20000; ++index) {
    const MadeExamples made = example(maker, options, index);
    keys[static_cast<std::size_t>(made.tokens[6] - 1)] += 1;
    values[static_cast<std::size_t>(made.tokens[7] - 32)] += 1;
  }
  EXPECT_LT(std::abs(deviation(keys, std::vector<double>(31, 1.0 / 31))), 4);
  EXPECT_LT(std::abs(deviation(values, std::vector<double>(32, 1.0 / 32))), 4);
}

TEST(Mqar, FillsWithEveryToken) {
  const MqarOptions options{.vocab = 20, .length = 16, .pairs = 1, .random_filler = true};
  std::set<std::int32_t> seen;
  for (std::uint64_t index = 0; index < 100; ++index) {
    const MadeExamples made = example(options, index);
    seen.insert(made.tokens.begin() + 2, made.tokens.end());
  }
  EXPECT_EQ(seen.size(), 20u);
}

TEST(Mqar, AgreesWithZoologysExamples) {
  const auto file = shared_file("cases/mqar/v8192_T64_D4.npz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const MqarOptions options;
  const auto inputs = npy<std::int16_t>(file, "inputs"), labels = npy<std::int16_t>(file, "labels");
  ASSERT_EQ(inputs.size(), 20u * 64);
  for (std::ptrdiff_t at = 0; at < 20 * 64; at += 64)
    EXPECT_EQ(broken_rule({inputs.begin() + at, inputs.begin() + at + 64},
                          {labels.begin() + at, labels.begin() + at + 64}, options),
              "");
}

// zoology's 4000 examples against the exact distribution, with the bound for ours.
TEST(Mqar, DrawsSlotsAsZoologyDoes) {
  const auto file = shared_file("cases/mqar/v8192_T64_D4.npz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const auto counts = npy<std::int32_t>(file, "slot_histogram_by_key");
  ASSERT_EQ(counts.size(), 4u * 28);
  const Histogram chances = exact(28, 4, 0.01);
  for (std::size_t j = 0; j < 4; ++j) {
    const std::vector<double> row(counts.begin() + static_cast<std::ptrdiff_t>(28 * j),
                                  counts.begin() + static_cast<std::ptrdiff_t>(28 * (j + 1)));
    EXPECT_LT(std::abs(deviation(row, chances[j])), 4) << j;
  }
}

}  // namespace runner
