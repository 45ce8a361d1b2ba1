#include "runner/data/sentences/bleu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace runner {
namespace {

using Words = std::vector<std::string>;
using Ngrams = std::map<Words, double>;

constexpr double kSacreLogOfZero = -9999999999;

Ngrams ngrams_of(const Words& words, std::size_t n) {
  Ngrams all;
  for (std::size_t i = 0; i + n <= words.size(); ++i)
    ++all[Words(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i + n))];
  return all;
}

// The reference length nearest to the translation's length; of two equally near the shorter one.
double nearest_length(std::size_t length, const std::vector<Words>& references) {
  std::size_t best = 0, best_off = std::numeric_limits<std::size_t>::max();
  for (const Words& each : references) {
    const std::size_t off = each.size() > length ? each.size() - length : length - each.size();
    if (off < best_off || (off == best_off && each.size() < best)) best = each.size();
    best_off = std::min(best_off, off);
  }
  return static_cast<double>(best);
}

double log_of(double precision) { return precision == 0 ? kSacreLogOfZero : std::log(precision); }

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    right[n] += other.right[n];
    all[n] += other.all[n];
  }
  length += other.length;
  reference_length += other.reference_length;
  return *this;
}

BleuCounts bleu_counts(const Words& words, const std::vector<Words>& references) {
  BleuCounts counts;
  counts.length = static_cast<double>(words.size());
  counts.reference_length = nearest_length(words.size(), references);
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    Ngrams most;
    for (const Words& each : references)
      for (const auto& [ngram, count] : ngrams_of(each, n))
        most[ngram] = std::max(most[ngram], count);
    for (const auto& [ngram, count] : ngrams_of(words, n)) {
      counts.all[n - 1] += count;
      if (const auto found = most.find(ngram); found != most.end())
        counts.right[n - 1] += std::min(count, found->second);
    }
  }
  return counts;
}

double bleu(const BleuCounts& counts, Smoothing smoothing) {
  const bool any =
      std::any_of(counts.right.begin(), counts.right.end(), [](double right) { return right > 0; });
  if (!any) return 0;
  const bool shorter = counts.length < counts.reference_length;
  const double brevity = shorter ? std::exp(1 - counts.reference_length / counts.length) : 1;
  std::array<double, kBleuOrder> precisions{};
  double smoothed = 1;
  for (std::size_t n = 0; n < kBleuOrder && counts.all[n] > 0; ++n) {
    if (counts.right[n] > 0) {
      precisions[n] = 100 * counts.right[n] / counts.all[n];
    } else if (smoothing == Smoothing::kExponential) {
      smoothed *= 2;
      precisions[n] = 100 / (smoothed * counts.all[n]);
    }
  }
  double sum = 0;
  for (const double precision : precisions) sum += log_of(precision);
  return brevity * std::exp(sum / static_cast<double>(kBleuOrder));
}

}  // namespace runner
