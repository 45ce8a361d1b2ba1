#include "runner/data/tokens/unicode_classes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runner/data/tokens/unicode_ranges.h"

namespace runner {
namespace {

constexpr std::uint32_t kCodePoints = 0x110000;

std::vector<UnicodeClass> all_classes() {
  std::vector<UnicodeClass> classes(kCodePoints, UnicodeClass::kOther);
  const auto mark = [&classes](const auto& ranges, UnicodeClass as) {
    for (const CodeRange& range : ranges)
      std::fill(classes.begin() + range.first, classes.begin() + range.last + 1, as);
  };
  mark(kLetterRanges, UnicodeClass::kLetter);
  mark(kNumberRanges, UnicodeClass::kNumber);
  mark(kSpaceRanges, UnicodeClass::kSpace);
  return classes;
}

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

// The length of the UTF-8 sequence that starts with this byte; 0 = none does.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

}  // namespace

UnicodeClass unicode_class(std::uint32_t code_point) {
  static const std::vector<UnicodeClass> kClasses = all_classes();
  return code_point < kCodePoints ? kClasses[code_point] : UnicodeClass::kOther;
}

Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = sequence_length(first);
  if (bytes == 1) return {first, 1};
  constexpr Character kBroken{kCodePoints, 1};
  if (bytes == 0) return kBroken;
  std::uint32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text, at + i)) return kBroken;
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code >= kCodePoints || surrogate) return kBroken;
  return {code, bytes};
}

}  // namespace runner
