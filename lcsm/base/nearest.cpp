#include "lcsm/base/nearest.h"

#include <algorithm>
#include <vector>

namespace lcsm {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> before(columns), above(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) above[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above.back();
}

namespace {

// True if only characters are missing from the word.
bool is_within(std::string_view word, std::string_view candidate) {
  std::size_t found = 0;
  for (const char c : candidate) found += found < word.size() && c == word[found];
  return found == word.size();
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  int best = std::max<int>(1, static_cast<int>(word.size()) / 3) + 1;
  std::string found;
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    const std::size_t longest = std::max(word.size(), candidate.size());
    const bool wins = distance < best || (distance == best && !found.empty() &&
                                          !is_within(word, found) && is_within(word, candidate));
    if (wins && distance < static_cast<int>(longest)) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? otherwise : "; did you mean '" + found + "'?";
}

}  // namespace lcsm
