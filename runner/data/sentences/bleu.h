// BLEU of a corpus (Papineni et al. 2002), with sacreBLEU's arithmetic (Post 2018).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

inline constexpr std::size_t kBleuOrder = 4;

// Sums over sentences, for n = 1 .. 4.
struct BleuCounts {
  std::array<double, kBleuOrder> right{};   // n-grams found in a reference, clipped to its count
  std::array<double, kBleuOrder> all{};     // n-grams
  double length = 0, reference_length = 0;  // words; of the reference nearest in length

  BleuCounts& operator+=(const BleuCounts& other);
};

enum class Smoothing : std::uint8_t {
  kNone,
  kExponential,  // the k-th order without a match counts 1 / 2^k matches
};

// `words` of a translation, and of its references.
BleuCounts bleu_counts(const std::vector<std::string>& words,
                       const std::vector<std::vector<std::string>>& references);

// From 0 to 100; 0 without any match.
double bleu(const BleuCounts& counts, Smoothing smoothing = Smoothing::kExponential);

// ----- Words -----

// Splits a line as mteval-v13a and sacreBLEU's tokenizer "13a" do.
std::vector<std::string> words_13a(std::string_view line);

// Splits a line at blanks, as sacreBLEU's tokenizer "none" does.
std::vector<std::string> words_at_blanks(std::string_view line);

// Splits a line at blanks and compounds at hyphens: "well-known" is "well ##AT##-##AT## known", as
// papers on WMT'14 score tokenized text.
std::vector<std::string> words_of_compounds(std::string_view line);

}  // namespace runner
