#include "runner/data/import/fairseq_binary.h"

#include <array>
#include <bit>
#include <cstring>

#include "runner/data/import/plain_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

static_assert(std::endian::native == std::endian::little, "as the files are");

// magic 9, version 8, type of numbers 1, count of sequences 8; then 4 bytes for each, its numbers,
// and 8 bytes for each, where it begins.
constexpr std::string_view kMagic{"MMIDIDX\0\0", 9};
constexpr std::string_view kOldMagic{"TNTIDX\0\0", 8};
constexpr std::size_t kVersionAt = 9, kTypeAt = 17, kCountAt = 18, kSizesAt = 26, kSizeBytes = 4,
                      kOffsetBytes = 8;
constexpr std::size_t kMostTokens = 65536;
constexpr std::uintmax_t kMostDictionary = 1 << 24;

struct NumberType {
  std::uint8_t code;
  std::uint64_t bytes;
};
constexpr std::array<NumberType, 8> kTypes = {
    {{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 8}, {8, 2}, {9, 4}, {10, 8}}};

fs::path with_end(fs::path name, const char* end) { return name += end; }

}  // namespace

std::vector<std::string> fairseq_dictionary(const fs::path& path, Sha256& contents) {
  const MappedFile file = open_plain(path, contents, kMostDictionary);
  std::vector<std::string> tokens = {"<s>", "<pad>", "</s>", "<unk>"};
  for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank == 0 || whole_number(line.substr(blank + 1)) < 0)
      refuse_file(path, at_line(number), "a token, a space and its count", quoted_start(line));
    if (tokens.size() == kMostTokens)
      refuse_file(path, at_line(number), "at most 65 532 tokens", "more");
    tokens.emplace_back(line.substr(0, blank));
  });
  if (tokens.size() == kFairseqSpecials) refuse_file(path, "", "tokens", "none");
  return tokens;
}

FairseqFile::FairseqFile(const fs::path& name, Sha256& contents)
    : path_(with_end(name, ".bin")),
      index_(open_plain(with_end(name, ".idx"), contents)),
      numbers_(open_plain(path_, contents)) {
  const fs::path index = with_end(name, ".idx");
  const std::string_view head = index_.bytes();
  if (head.starts_with(kOldMagic))
    refuse_file(index, at_byte(0), "the mapped format of fairseq (--dataset-impl mmap)",
                "the older one");
  if (!head.starts_with(kMagic))
    refuse_file(index, at_byte(0), "an index of fairseq", quoted_start(head.substr(0, 9)));
  if (head.size() < kSizesAt)
    refuse_file(index, at_byte(head.size()), "a header of 26 bytes", "the end");
  if (number_at<std::uint64_t>(head, kVersionAt) != 1)
    refuse_file(index, at_byte(kVersionAt), "version 1",
                std::to_string(number_at<std::uint64_t>(head, kVersionAt)));
  for (const NumberType& type : kTypes)
    if (type.code == static_cast<std::uint8_t>(head[kTypeAt])) bytes_ = type.bytes;
  if (bytes_ == 0)
    refuse_file(index, at_byte(kTypeAt), "an integer type",
                std::to_string(static_cast<std::uint8_t>(head[kTypeAt])));
  sequences_ = number_at<std::uint64_t>(head, kCountAt);
  const std::uint64_t rest = head.size() - kSizesAt;
  if (sequences_ > rest || rest != sequences_ * (kSizeBytes + kOffsetBytes))
    refuse_file(index, at_byte(kCountAt),
                "12 bytes for each of " + std::to_string(sequences_) + " sequences",
                std::to_string(rest) + " bytes");
  check_index(index);
}

std::uint64_t FairseqFile::steps(std::uint64_t i) const {
  return number_at<std::uint32_t>(index_.bytes(), kSizesAt + i * kSizeBytes);
}

std::uint64_t FairseqFile::offset(std::uint64_t i) const {
  return number_at<std::uint64_t>(index_.bytes(),
                                  kSizesAt + sequences_ * kSizeBytes + i * kOffsetBytes);
}

void FairseqFile::check_index(const fs::path& index) const {
  const std::uint64_t size = numbers_.bytes().size();
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < sequences_; before += steps(i++) * bytes_)
    if (offset(i) != before || steps(i) * bytes_ > size - before)
      refuse_file(index, "sequence " + std::to_string(i),
                  "one after the other, within the " + std::to_string(size) + " bytes of " +
                      path_.filename().string(),
                  std::to_string(steps(i)) + " numbers at byte " + std::to_string(offset(i)));
  if (before != size)
    refuse_file(path_, at_byte(before), "the end, as the index says",
                std::to_string(size - before) + " more bytes");
}

std::vector<std::uint32_t> FairseqFile::sequence(std::uint64_t i) const {
  std::vector<std::uint32_t> all(steps(i));
  const std::string_view bytes = numbers_.bytes().substr(offset(i), all.size() * bytes_);
  for (std::size_t t = 0; t < all.size(); ++t) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + t * bytes_, bytes_);
    all[t] = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xffffffff));
  }
  return all;
}

}  // namespace runner
