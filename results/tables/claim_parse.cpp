#include <stdexcept>
#include <vector>

#include "lcsm/base/words.h"
#include "results/tables/claim.h"

namespace results {

ParsedClaim parse_claim(const std::string& text, const DisplayNames& names) {
  const auto refuse = [&]() -> std::invalid_argument {
    return std::invalid_argument(
        "expected 'A < B in METRIC', 'A > B in METRIC', 'A is best in METRIC' or 'A is worst in "
        "METRIC', got '" +
        text + "'");
  };
  const std::vector<std::string> words = lcsm::words_of(text);
  if (words.size() < 3) throw refuse();
  ParsedClaim claim;
  claim.left = original_name(names, words[0]);
  std::size_t at = 3;
  if (words[1] == "<" || words[1] == ">") {
    claim.kind = words[1] == "<" ? ParsedClaim::Kind::kLess : ParsedClaim::Kind::kMore;
    claim.right = original_name(names, words[2]);
  } else if (words[1] == "is" && (words[2] == "best" || words[2] == "worst")) {
    claim.kind = words[2] == "best" ? ParsedClaim::Kind::kBest : ParsedClaim::Kind::kWorst;
  } else {
    throw refuse();
  }
  for (; at + 1 < words.size(); at += 2) {
    std::string* into = words[at] == "of"   ? &claim.key
                        : words[at] == "in" ? &claim.metric
                                            : nullptr;
    if (into == nullptr || !into->empty()) throw refuse();
    *into = words[at + 1];
  }
  if (at != words.size()) throw refuse();
  if (claim.left == claim.right)
    throw std::invalid_argument("expected a claim that compares two names, got '" + text + "'");
  if (!claim.metric.empty()) parse_value(claim.metric);
  return claim;
}

}  // namespace results
