#include "runner/data/datasets/sounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace runner {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kLow = 1.0 / 64, kHigh = 1.0 / 16;  // cycles a sample, of the lowest of a kind
constexpr double kMemory = 0.9;                      // of colored noise
constexpr std::uint32_t kPeriod = 24;                // of pulses, the shortest
constexpr double kFade = 0.7;                        // of a pulse, sample by sample
constexpr double kQuietest = 0.1, kLoudest = 0.5;    // noise in the background

// lo <= x < hi.
double uniform(RandomStream& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random.next64() >> 11) * 0x1p-53;
}

double normal(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random, 0x1p-53, 1)));
  return radius * std::cos(kTurn * uniform(random, 0, 1));
}

using Wave = std::vector<double>;

// A tone whose frequency at each share of the time is `at(share)`.
template <class Frequency>
Wave tone(RandomStream& random, std::uint32_t samples, const Frequency& at) {
  Wave wave(samples);
  double phase = uniform(random, 0, 1);
  for (std::uint32_t i = 0; i < samples; ++i) {
    wave[i] = std::sin(kTurn * phase);
    phase += at(i / static_cast<double>(samples));
  }
  return wave;
}

// Each pulse follows the last after `gap()` samples.
template <class Gap>
Wave pulses(std::uint32_t samples, std::uint32_t first, const Gap& gap) {
  Wave wave(samples);
  for (std::uint32_t i = first; i < samples; i += gap()) wave[i] = 1;
  for (std::uint32_t i = 1; i < samples; ++i) wave[i] += kFade * wave[i - 1];
  return wave;
}

Wave noise(RandomStream& random, std::uint32_t samples, double memory) {
  Wave wave(samples);
  double value = 0;
  for (double& sample : wave) sample = value = memory * value + normal(random);
  return wave;
}

Wave wave_of(RandomStream& random, std::uint32_t kind, std::uint32_t samples) {
  const double low = kLow * uniform(random, 1, 2), high = kHigh * uniform(random, 1, 2);
  const double turn = uniform(random, 0.3, 0.7);
  const auto period = kPeriod + static_cast<std::uint32_t>(random.below(kPeriod));
  const auto first = static_cast<std::uint32_t>(random.below(period));
  switch (kind) {
    case 0:
      return tone(random, samples, [=](double) { return low; });
    case 1:
      return tone(random, samples, [=](double) { return high; });
    case 2:
      return tone(random, samples, [=](double at) { return low + (high - low) * at; });
    case 3:
      return tone(random, samples, [=](double at) { return high + (low - high) * at; });
    case 4:
      return tone(random, samples, [=](double at) { return at < turn ? low : high; });
    case 5:
      return tone(random, samples, [=](double at) { return at < turn ? high : low; });
    case 6:
      return pulses(samples, first, [=] { return period; });
    case 7:  // irregular, with an equal mean rate
      return pulses(samples, first,
                    [&] { return 1 + static_cast<std::uint32_t>(random.below(2 * period - 1)); });
    case 8:
      return noise(random, samples, 0);
    default:
      return noise(random, samples, kMemory);
  }
}

void normalise(Wave* wave) {
  double sum = 0, squares = 0;
  for (const double value : *wave) sum += value;
  const double mean = sum / static_cast<double>(wave->size());
  for (double& value : *wave) {
    value -= mean;
    squares += value * value;
  }
  const double deviation = std::sqrt(squares / static_cast<double>(wave->size()));
  for (double& value : *wave) value /= std::max(deviation, 1e-6);
}

}  // namespace

NewExample sound_example(RandomStream& random, std::uint32_t samples) {
  NewExample example;
  example.label = static_cast<std::uint32_t>(random.below(kSounds.size()));
  Wave wave = wave_of(random, example.label, samples);
  normalise(&wave);
  const double background = uniform(random, kQuietest, kLoudest);
  for (double& value : wave) value += background * normal(random);
  normalise(&wave);
  for (const double value : wave) append(&example.sequences[0], static_cast<float>(value));
  return example;
}

}  // namespace runner
