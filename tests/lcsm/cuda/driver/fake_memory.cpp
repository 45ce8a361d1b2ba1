#include "tests/lcsm/cuda/driver/fake_memory.h"

#include <algorithm>
#include <cstring>

namespace lcsm::test {
namespace {

constexpr std::size_t kWord = 4;

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// Unwritten memory is filled with four equal bytes that no other float consists of: other NaNs have
// other bits. Half of a float64 may match.
bool is_poison(const char* word) {
  return std::all_of(word, word + kWord,
                     [](char byte) { return static_cast<ptx::u8>(byte) == ptx::kPoison; });
}

}  // namespace

void FakeMemory::own(void* base, std::size_t bytes, const std::string& name) {
  std::memset(base, ptx::kPoison, bytes);
  if (bytes > 0)
    pieces_[address_of(base) + bytes - 1] = {name, static_cast<char*>(base), bytes, 0, "", {}, {}};
}

Piece* FakeMemory::find(std::uint64_t address) {
  const auto at = pieces_.lower_bound(address);
  return at != pieces_.end() && address >= address_of(at->second.base) ? &at->second : nullptr;
}

void FakeMemory::disown(void* base) {
  Piece* const piece = find(address_of(base));
  if (piece == nullptr) return;
  check_whole(*piece);
  if (piece->region != 0) judged_.free(piece->region);
  pieces_.erase(address_of(base) + piece->bytes - 1);
}

void FakeMemory::check_whole() {
  for (const auto& [end, piece] : pieces_) check_whole(piece);
}

// True if the word is poison and no kernel wrote these bytes.
bool FakeMemory::is_unwritten(const Piece& piece, std::size_t at) {
  return is_poison(piece.base + at) &&
         (piece.region == 0 || judged_.unwritten(piece.region + at, kWord) > 0);
}

void FakeMemory::check_whole(const Piece& piece) {
  if (piece.writer.empty()) return;
  std::size_t words = 0;
  for (std::size_t n = 0; n + kWord <= piece.bytes; n += kWord)
    words += is_unwritten(piece, n) ? 1 : 0;
  if (words > 0)
    finding("not whole: " + piece.writer + " left " + std::to_string(words) + " of " +
            std::to_string(piece.bytes / kWord) + " numbers of " + piece.name + " unwritten");
}

std::vector<Piece*> FakeMemory::translate(std::vector<ptx::u8>* arguments) {
  std::vector<Piece*> used;
  std::uint64_t word = 0;
  for (std::size_t n = 0; n + sizeof word <= arguments->size(); n += sizeof word) {
    std::memcpy(&word, arguments->data() + n, sizeof word);
    Piece* const piece = find(word);
    if (piece == nullptr) continue;
    if (piece->region == 0) piece->region = judged_.allocate(piece->name, piece->bytes);
    word = piece->region + (word - address_of(piece->base));
    std::memcpy(arguments->data() + n, &word, sizeof word);
    if (std::find(used.begin(), used.end(), piece) == used.end()) used.push_back(piece);
  }
  return used;
}

void FakeMemory::copy_in(Piece* piece) {
  std::vector<std::size_t> unwritten;
  for (std::size_t n = 0; n + kWord <= piece->bytes; n += kWord)
    if (is_unwritten(*piece, n)) unwritten.push_back(n);
  judged_.write(piece->region, piece->base, piece->bytes);
  std::vector<ptx::u8>& written = judged_.find(piece->region)->written;
  for (const std::size_t n : unwritten)
    std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(n), kWord, ptx::u8{0});
}

bool FakeMemory::copy_out(Piece* piece) {
  const std::vector<ptx::u8>& data = judged_.find(piece->region)->data;
  if (std::memcmp(data.data(), piece->base, piece->bytes) == 0) return false;
  std::memcpy(piece->base, data.data(), piece->bytes);
  return true;
}

void FakeMemory::use(Piece* piece, const Moment& now, const Seen& seen, bool writes,
                     const std::string& who) {
  const auto check = [&](int stream, std::uint64_t n, const std::string& other) {
    const auto known = seen.find(stream);
    if (n == 0 || stream == now.stream || (known != seen.end() && known->second >= n)) return;
    finding("order: " + who + " on stream " + std::to_string(now.stream) +
            (writes ? " writes " : " reads ") + piece->name + ", which " + other + " uses on " +
            "stream " + std::to_string(stream) + ", and no event is between them");
  };
  check(piece->written.stream, piece->written.n, piece->writer);
  if (!writes) {
    piece->reads[now.stream] = {now.n, who};
    return;
  }
  for (const auto& [stream, read] : piece->reads) check(stream, read.first, read.second);
  piece->reads.clear();
  piece->written = now;
  piece->writer = who;
}

void FakeMemory::finding(const std::string& text) { findings_ += text + "\n"; }

}  // namespace lcsm::test
