#include "runner/data/tokens/gpt2_bpe.h"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <tuple>

#include "results/text/number_text.h"
#include "runner/base/files/text_lines.h"
#include "runner/data/tokens/gpt2_split.h"
#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::size_t kMerges = 50000, kTable = 1 << 17, kRemembered = 1 << 20;
constexpr std::uint32_t kEndOfText = 256 + kMerges;

// vocab.bpe writes a byte as a visible character: itself if it is visible in Latin-1, else the next
// character from U+0100 on.
bool is_visible(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

struct ByteLetters {
  std::array<std::uint8_t, 256> order;      // GPT-2's numbers: the visible bytes first
  std::array<std::int16_t, 0x144> byte_of;  // character -> byte, -1 = none
};

ByteLetters byte_letters() {
  ByteLetters letters{};
  letters.byte_of.fill(-1);
  std::size_t number = 0;
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    if (is_visible(byte)) {
      letters.order[number++] = static_cast<std::uint8_t>(byte);
      letters.byte_of[byte] = static_cast<std::int16_t>(byte);
    }
  for (std::uint32_t byte = 0, other = 0x100; byte < 256; ++byte)
    if (!is_visible(byte)) {
      letters.order[number++] = static_cast<std::uint8_t>(byte);
      letters.byte_of[other++] = static_cast<std::int16_t>(byte);
    }
  return letters;
}

constexpr const char* kEndOfFile = "the end of the file";

std::string quoted(std::string_view text) { return "'" + std::string(text.substr(0, 60)) + "'"; }

[[noreturn]] void refuse(const char* file, std::size_t line, const std::string& expected,
                         const std::string& got) {
  throw std::invalid_argument(std::string(file) + ":" + std::to_string(line) + ": expected " +
                              expected + ", got " + got);
}

std::string bytes_of(std::string_view letters, const ByteLetters& table, std::size_t line) {
  std::string bytes;
  for (std::size_t at = 0; at < letters.size();) {
    const Character letter = character_at(letters, at);
    if (letter.code >= table.byte_of.size() || table.byte_of[letter.code] < 0)
      refuse("vocab.bpe", line, "characters that encode bytes", quoted(letters));
    bytes += static_cast<char>(table.byte_of[letter.code]);
    at += letter.bytes;
  }
  return bytes;
}

std::uint64_t pair_of(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32 | right;
}

std::size_t place_of(std::uint64_t pair) { return (pair * 0x9E3779B97F4A7C15) >> (64 - 17); }

}  // namespace

Gpt2Bpe::Gpt2Bpe(std::string_view merges, std::string_view dictionary, TokenOrder order)
    : merges_(kTable) {
  read_merges(merges);
  if (order == TokenOrder::kFairseq)
    read_dictionary(dictionary);
  else
    for (std::uint32_t i = 0; i <= kEndOfText; ++i) ours_.push_back(i);
  theirs_.assign(order == TokenOrder::kFairseq ? kFairseqSize : kEndOfText + 1, kNone);
  for (std::uint32_t i = 0; i < ours_.size(); ++i) theirs_[ours_[i]] = i;
}

void Gpt2Bpe::read_merges(std::string_view merges) {
  const ByteLetters letters = byte_letters();
  std::unordered_map<std::string, std::uint32_t> number_of;
  for (std::uint32_t number = 0; number < 256; ++number) {
    bytes_of_.emplace_back(1, static_cast<char>(letters.order[number]));
    byte_[letters.order[number]] = number;
    number_of[bytes_of_.back()] = number;
  }
  std::size_t at = 0;
  for_each_line(merges, [&](std::string_view line) {
    if (++at == 1 && line.starts_with("#version")) return;
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos)
      refuse("vocab.bpe", at, "a merge of two tokens", quoted(line));
    const auto left = number_of.find(bytes_of(line.substr(0, blank), letters, at));
    const auto right = number_of.find(bytes_of(line.substr(blank + 1), letters, at));
    if (left == number_of.end() || right == number_of.end())
      refuse("vocab.bpe", at, "two tokens that earlier lines define", quoted(line));
    std::string bytes = left->first + right->first;
    const auto result = static_cast<std::uint32_t>(bytes_of_.size());
    if (result == kEndOfText || !number_of.emplace(bytes, result).second)
      refuse("vocab.bpe", at, std::to_string(kMerges) + " distinct merges", quoted(line));
    add_merge(left->second, right->second);
    bytes_of_.push_back(std::move(bytes));
  });
  if (bytes_of_.size() != kEndOfText)
    refuse("vocab.bpe", bytes_of_.size() - 256, std::to_string(kMerges) + " merges", kEndOfFile);
  bytes_of_.emplace_back("<|endoftext|>");
}

// Lines "NUMBER COUNT", sorted by count; "madeupword0001 0" is padding.
void Gpt2Bpe::read_dictionary(std::string_view dictionary) {
  ours_.assign(kEndOfText + 1, kNone);
  std::uint32_t next = 4;
  for_each_line(dictionary, [&](std::string_view line) {
    const std::size_t at = next - 3;
    const std::string_view word = line.substr(0, line.find(' '));
    const auto number = results::all_of_it<std::uint32_t>(word);
    if (!number && !word.starts_with("madeupword"))
      refuse("dict.txt", at, "the number of a GPT-2 token and its count", quoted(line));
    if (number && (*number > kEndOfText || ours_[*number] != kNone))
      refuse("dict.txt", at, "each number from 0 to 50256 once", quoted(line));
    if (number) ours_[*number] = next;
    ++next;
  });
  if (next + 1 != kFairseqSize || std::find(ours_.begin(), ours_.end(), kNone) != ours_.end())
    refuse("dict.txt", next - 3, "50260 lines that include every token", kEndOfFile);
}

void Gpt2Bpe::add_merge(std::uint32_t left, std::uint32_t right) {
  const std::uint64_t pair = pair_of(left, right);
  std::size_t at = place_of(pair);
  while (merges_[at].pair != ~std::uint64_t{0}) at = (at + 1) % kTable;
  merges_[at] = {pair, static_cast<std::uint32_t>(bytes_of_.size())};
}

std::uint32_t Gpt2Bpe::merged(std::uint32_t left, std::uint32_t right) const {
  const std::uint64_t pair = pair_of(left, right);
  for (std::size_t at = place_of(pair);; at = (at + 1) % kTable) {
    if (merges_[at].pair == pair) return merges_[at].result;
    if (merges_[at].pair == ~std::uint64_t{0}) return kNone;
  }
}

// Merges the pair whose merge was learned first; among equal pairs, the leftmost. The result of a
// merge takes part only in merges that were learned later, so one queue suffices.
void Gpt2Bpe::merge(std::string_view word, std::vector<std::uint32_t>& into) const {
  struct Part {
    std::uint32_t token, before, after;
  };
  struct Candidate {
    std::uint32_t result, at, left, right;
    bool operator<(const Candidate& other) const {
      return std::tie(result, at) > std::tie(other.result, other.at);
    }
  };
  const auto size = static_cast<std::uint32_t>(word.size());
  std::vector<Part> parts(size);
  for (std::uint32_t i = 0; i < size; ++i)
    parts[i] = {byte_[static_cast<unsigned char>(word[i])], i - 1, i + 1};
  std::priority_queue<Candidate> queue;
  const auto offer = [&](std::uint32_t at) {
    if (at >= size || parts[at].after >= size) return;
    const std::uint32_t left = parts[at].token, right = parts[parts[at].after].token;
    if (const std::uint32_t result = merged(left, right); result != kNone)
      queue.push({result, at, left, right});
  };
  for (std::uint32_t i = 0; i < size; ++i) offer(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Part& left = parts[best.at];
    if (left.token != best.left || left.after >= size || parts[left.after].token != best.right)
      continue;
    Part& right = parts[left.after];
    left.token = best.result;
    left.after = right.after;
    right.token = kNone;
    if (left.after < size) parts[left.after].before = best.at;
    offer(left.before);
    offer(best.at);
  }
  for (std::uint32_t at = 0; at < size; at = parts[at].after)
    into.push_back(ours_[parts[at].token]);
}

Gpt2Bpe::Span Gpt2Bpe::remember(std::string_view word) {
  const auto at = static_cast<std::uint32_t>(seen_tokens_.size());
  merge(word, seen_tokens_);
  const Span span{at, static_cast<std::uint32_t>(seen_tokens_.size()) - at};
  seen_.emplace(word, span);
  return span;
}

void Gpt2Bpe::encode(std::string_view text, std::vector<std::uint32_t>& into) {
  constexpr std::size_t kLongest = 64;  // longer words rarely repeat
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word = text.substr(at, gpt2_word(text, at));
    at += word.size();
    const auto found = seen_.find(word);
    if (found == seen_.end() && (word.size() > kLongest || seen_.size() >= kRemembered)) {
      merge(word, into);
      continue;
    }
    const Span span = found != seen_.end() ? found->second : remember(word);
    into.insert(into.end(), seen_tokens_.begin() + span.at,
                seen_tokens_.begin() + span.at + span.size);
  }
}

std::string Gpt2Bpe::decode(std::span<const std::uint32_t> tokens) const {
  std::string text;
  for (const std::uint32_t token : tokens)
    if (token < theirs_.size() && theirs_[token] != kNone) text += bytes_of_[theirs_[token]];
  return text;
}

}  // namespace runner
