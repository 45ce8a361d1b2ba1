// Imports Speech Commands: a folder of WAV files for each word. Words, split and normalization are
// as in S4 (state-spaces/s4, src/dataloaders/datasets/sc.py) and MEGA. Files are sorted by name;
// the original order differs between hosts.
#include <cmath>
#include <utility>

#include "runner/data/import/plain_files.h"
#include "runner/data/import/random_split.h"
#include "runner/data/import/readers.h"
#include "runner/data/import/wav.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::array<std::string_view, 10> kWords = {"yes",   "no", "up",  "down", "left",
                                                     "right", "on", "off", "stop", "go"};
constexpr std::uint32_t kRate = 16000;  // samples a second
constexpr double kScale = 32768;        // of a sample
constexpr double kLeast = 1e-5;         // added to the deviation
constexpr std::uint32_t kTrainSeed = 0, kTestSeed = 1;

using Clip = std::vector<std::int16_t>;

struct Clips {
  std::vector<Clip> clips;
  std::vector<std::uint32_t> labels;
};

// Pads shorter clips with zeros, or leaves out shorter and longer clips.
Clips read_clips(const IntakeRow& row, const fs::path& from, bool pads, Sha256& contents) {
  Clips all;
  for (std::uint32_t word = 0; word < kWords.size(); ++word) {
    const fs::path folder = from / kWords[word];
    const std::size_t before = all.clips.size();
    for (const fs::path& file : plain_files_in(folder, ".wav", "clips")) {
      Clip clip = read_wav(file, kRate, contents);
      if (pads && (clip.empty() || clip.size() > row.length))
        refuse_file(file, "", "1 to " + std::to_string(row.length) + " samples",
                    std::to_string(clip.size()));
      if (!pads && clip.size() != row.length) continue;
      clip.resize(row.length);
      all.clips.push_back(std::move(clip));
      all.labels.push_back(word);
    }
    if (all.clips.size() < before + 2)
      refuse_file(folder, "",
                  "at least two clips *.wav of " + std::to_string(row.length) + " samples",
                  std::to_string(all.clips.size() - before));
  }
  return all;
}

struct Level {
  double mean = 0, deviation = 0;
};

Level level_of(const std::vector<Clip>& clips, const std::vector<std::uint32_t>& which) {
  double sum = 0, squares = 0, count = 0;
  for (const std::uint32_t i : which)
    for (const std::int16_t sample : clips[i]) {
      const double value = sample / kScale;
      sum += value;
      squares += value * value;
      ++count;
    }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares - count * mean * mean) / (count - 1)) + kLeast};
}

Taken read_words(const IntakeRow& row, const fs::path& from, bool pads, Sha256& contents) {
  Clips all = read_clips(row, from, pads, contents);
  const auto parts = stratified_split(all.labels, 0.7, kTrainSeed);
  const std::vector<std::uint32_t>&train = parts.first, &rest = parts.second;
  std::vector<std::uint32_t> labels;
  for (const std::uint32_t i : rest) labels.push_back(all.labels[i]);
  const auto [valid, test] = stratified_split(labels, 0.5, kTestSeed);
  Taken taken{{.element = Element::kReal,
               .classes = static_cast<std::uint32_t>(kWords.size()),
               .length = row.length},
              {}};
  taken.labels.assign(kWords.begin(), kWords.end());
  const Level level = level_of(all.clips, train);
  const auto take = [&](Split split, std::uint32_t i) {
    NewExample example{{""}, all.labels[i], {}};
    for (const std::int16_t sample : std::exchange(all.clips[i], {}))
      append(&example.sequences[0],
             static_cast<float>((sample / kScale - level.mean) / level.deviation));
    taken.examples[index_of(split)].push_back(std::move(example));
  };
  for (const std::uint32_t i : train) take(Split::kTrain, i);
  for (const std::uint32_t i : valid) take(Split::kValid, rest[i]);
  for (const std::uint32_t i : test) take(Split::kTest, rest[i]);
  return taken;
}

}  // namespace

Taken read_speech(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  return read_words(row, from, false, contents);
}

Taken read_speech_padded(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  return read_words(row, from, true, contents);
}

}  // namespace runner
