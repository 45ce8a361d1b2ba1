// Decides the claims of a file together, and says so in a sentence.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "results/tables/claim.h"
#include "results/text/number_text.h"

namespace results {
namespace {

constexpr std::int64_t kMostSeeds = 100;  // larger numbers are not reported

bool holds(const Rival& rival) { return rival.margin > 0; }

// The comparison on which a claim rests, and the probability of a wrong verdict by it.
struct Deciding {
  const Rival* rival = nullptr;
  double p = 0;  // corrected for the rivals; may exceed 1, as the factors of intervals do
};

// A claim is supported only if all its comparisons agree, so that the weakest of them is its test.
// It is contradicted as soon as one shows the opposite, which is tested once per rival.
Deciding deciding(const std::vector<Rival>& rivals) {
  const Rival *weakest = nullptr, *opposite = nullptr;
  for (const Rival& rival : rivals) {
    const double p = rival.difference.p;
    if (weakest == nullptr || p > weakest->difference.p) weakest = &rival;
    if (!holds(rival) && (opposite == nullptr || p < opposite->difference.p)) opposite = &rival;
  }
  if (opposite == nullptr) return {weakest, weakest->difference.p};
  const auto chances = static_cast<double>(rivals.size());
  return {opposite, chances * opposite->difference.p};
}

std::int64_t seeds_for(const Rival& rival, double alpha) {
  const std::int64_t pairs = pairs_needed(rival.difference, alpha, kMostSeeds * rival.settings);
  return (pairs + rival.settings - 1) / rival.settings;
}

// The number of seeds that would decide the claim; 0: more than are tried.
std::int64_t seeds_needed(const ComparedClaim& compared, const Deciding& by, std::size_t claims) {
  const double alpha = kAlpha / static_cast<double>(claims);
  if (!holds(*by.rival))
    return seeds_for(*by.rival, alpha / static_cast<double>(compared.rivals.size()));
  std::int64_t most = 0;
  for (const Rival& rival : compared.rivals) {
    const std::int64_t seeds = seeds_for(rival, alpha);
    if (seeds == 0) return 0;
    most = std::max(most, seeds);
  }
  return most;
}

void show_rival(const Rival& rival, Claim* claim) {
  claim->against = rival.name;
  claim->effect = rival.difference.mean;
  claim->n = rival.difference.n;
}

void show_strongest(const std::vector<Rival>& rivals, Claim* claim) {
  const auto strongest =
      std::min_element(rivals.begin(), rivals.end(),
                       [](const Rival& a, const Rival& b) { return a.margin < b.margin; });
  if (strongest != rivals.end()) show_rival(*strongest, claim);
}

std::string text_of(double value, const char* format = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// At least two digits, and enough to show on which side of alpha p is.
std::string p_text(double p) {
  for (int digits = 2;; ++digits)
    if (const std::string text = short_number(p, digits);
        (number_in(text).value_or(p) < kAlpha) == (p < kAlpha))
      return text;
}

std::string seeds_text(const Claim& claim) {
  if (!claim.seeds) return "";
  if (*claim.seeds == 0)
    return "; " + std::to_string(kMostSeeds) + " seeds would not decide so small a difference";
  return "; if difference and spread stay, " + std::to_string(*claim.seeds) +
         " seeds decide it with power " + short_number(kPower, 2);
}

}  // namespace

std::vector<Claim> judge_claims(const std::vector<ComparedClaim>& family) {
  std::vector<double> p;
  for (const ComparedClaim& one : family)
    p.push_back(one.claim.why.empty() ? deciding(one.rivals).p : Claim::kNone);
  const std::vector<double> corrected = holm(p, std::numeric_limits<double>::infinity());
  const auto tests = static_cast<std::size_t>(
      std::count_if(p.begin(), p.end(), [](double one) { return !std::isnan(one); }));
  std::vector<Claim> out;
  for (std::size_t i = 0; i < family.size(); ++i) {
    const ComparedClaim& compared = family[i];
    Claim& claim = out.emplace_back(compared.claim);
    if (!claim.why.empty()) {
      show_strongest(compared.rivals, &claim);
      continue;
    }
    const Deciding by = deciding(compared.rivals);
    const Difference& difference = by.rival->difference;
    show_rival(*by.rival, &claim);
    claim.p = std::min(1.0, corrected[i]);
    if (tests > 1) claim.test += ", Holm's correction over " + std::to_string(tests) + " claims";
    // Corrected like p, so that the interval contains 0 exactly if p is not below alpha.
    const double correction = difference.p > 0 ? std::max(1.0, corrected[i] / difference.p) : 1;
    const Difference::Interval interval = difference.interval(kAlpha / correction);
    claim.low = interval.low;
    claim.high = interval.high;
    if (claim.p < kAlpha)
      claim.verdict = holds(*by.rival) ? Verdict::kSupported : Verdict::kContradicted;
    else
      claim.seeds = seeds_needed(compared, by, tests);
  }
  return out;
}

std::string verdict_name(const Claim& claim) {
  return std::string(kVerdicts[static_cast<std::size_t>(claim.verdict)]);
}

std::string claim_sentence(const Claim& claim) {
  return verdict_name(claim) + ": " + claim_reason(claim);
}

std::string claim_reason(const Claim& claim) {
  std::string out = claim.text;
  if (!claim.why.empty()) return out + " (" + claim.why + ")";
  out += " (" + claim.metric + " minus that of " + claim.against + ": " +
         text_of(claim.effect, "%+.4g");
  if (!std::isnan(claim.low))
    out += ", 95 % interval " + text_of(claim.low, "%+.4g") + " to " + text_of(claim.high, "%+.4g");
  return out + "; " + claim.test + ", p = " + p_text(claim.p) + ", n = " + std::to_string(claim.n) +
         seeds_text(claim) + (claim.signs.empty() ? "" : "; marks " + claim.signs) + ")";
}

}  // namespace results
