#include "runner/data/datasets/listops.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {
namespace {

constexpr char kMin = 10, kMax = 11, kMed = 12;
constexpr int kDeepest = 10;                      // nodes below are digits
constexpr std::uint64_t kFewest = 2, kMost = 10;  // arguments
constexpr int kTries = 1'000'000;  // of 1000 drawn by the official rules, 81 are accepted

// False: it has more than `most` tokens.
bool draw_tree(RandomStream& random, int depth, std::size_t most, ListOpsTokens& into) {
  const bool digit = depth >= kDeepest || random.next32() > 0x40000000;
  if (digit) {
    into += static_cast<char>(random.below(10));
    return into.size() <= most;
  }
  into += static_cast<char>(kMin + random.below(4));
  for (std::uint64_t left = kFewest + random.below(kMost - kFewest + 1); left > 0; --left)
    if (!draw_tree(random, depth + 1, most, into)) return false;
  into += kListOpsClose;
  return into.size() <= most;
}

// Truncates the mean of the middle two, as int(numpy.median(...)) does.
int median_of(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

int value_of_operation(char operation, const std::vector<int>& values) {
  if (operation == kMin) return *std::min_element(values.begin(), values.end());
  if (operation == kMax) return *std::max_element(values.begin(), values.end());
  if (operation == kMed) return median_of(values);
  int sum = 0;
  for (const int value : values) sum = (sum + value) % 10;
  return sum;
}

[[noreturn]] void refuse(std::size_t at, const std::string& expected, const std::string& got) {
  throw std::invalid_argument("token " + std::to_string(at) + ": expected " + expected + ", got " +
                              got);
}

std::string name_of(char token) {
  const auto row = static_cast<unsigned char>(token);
  return row < kListOpsTokens.size() ? "'" + std::string(kListOpsTokens[row]) + "'"
                                     : std::to_string(row);
}

struct Open {
  char operation;
  std::vector<int> values;
};

}  // namespace

ListOpsTokens draw_listops(RandomStream& random, std::int64_t over, std::int64_t under) {
  ListOpsTokens tokens;
  for (int i = 0; i < kTries; ++i) {
    tokens.clear();
    if (draw_tree(random, 1, static_cast<std::size_t>(under - 1), tokens) &&
        tokens.size() > static_cast<std::size_t>(over))
      return tokens;
  }
  throw std::invalid_argument("expected lengths that expressions have, got over " +
                              std::to_string(over) + " and under " + std::to_string(under));
}

int listops_value(std::string_view tokens) {
  std::vector<Open> open(1);  // the first holds the value of the whole
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char token = tokens[i];
    if (open.size() == 1 && !open[0].values.empty()) refuse(i, "the end", name_of(token));
    if (token >= 0 && token < kMin) {
      open.back().values.push_back(token);
    } else if (token >= kMin && token < kListOpsClose) {
      open.push_back({token, {}});
    } else if (token != kListOpsClose || open.size() == 1 || open.back().values.empty()) {
      refuse(i, "a digit or an operator", name_of(token));
    } else {
      const int value = value_of_operation(open.back().operation, open.back().values);
      open.pop_back();
      open.back().values.push_back(value);
    }
  }
  if (open.size() != 1 || open[0].values.empty())
    refuse(tokens.size(), open.size() == 1 ? "an expression" : "']'", "the end");
  return open[0].values[0];
}

ListOpsTokens read_listops(std::string_view text) {
  ListOpsTokens tokens;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.empty()) return tokens;
    const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n"));
    text.remove_prefix(word.size());
    if (word == "(" || word == ")") continue;
    const auto found = std::find(kListOpsTokens.begin(), kListOpsTokens.end(),
                                 word == "X" ? kListOpsTokens.back() : word);
    if (found == kListOpsTokens.end())
      refuse(tokens.size(), "a digit, an operator or ']'",
             "'" + std::string(word.substr(0, 20)) + "'");
    tokens += static_cast<char>(found - kListOpsTokens.begin());
  }
}

std::string listops_text(std::string_view tokens) {
  const auto word = [](unsigned char token) -> std::string_view {
    return token < kListOpsTokens.size() ? kListOpsTokens[token] : "?";
  };
  return lcsm::joined_of(tokens, word, " ");
}

}  // namespace runner
