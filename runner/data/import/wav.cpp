#include "runner/data/import/wav.h"

#include <cstring>

#include "runner/data/import/plain_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uintmax_t kMostWav = 1 << 24;
constexpr std::size_t kRiff = 12, kChunkHead = 8, kFormat = 16;  // bytes
constexpr std::uint16_t kPcm = 1;

// RIFF size WAVE, then chunks: a name, a size, the bytes, and a padding byte if the size is odd.
class WavReader {
 public:
  WavReader(const fs::path& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  std::vector<std::int16_t> samples(std::uint32_t rate) {
    if (bytes_.size() < kRiff || !bytes_.starts_with("RIFF") || bytes_.substr(8, 4) != "WAVE")
      refuse_file(path_, at_byte(0), "a WAV file, which begins with RIFF and WAVE",
                  quoted_start(bytes_.substr(0, kRiff)));
    bool described = false;
    for (std::size_t at = kRiff; at < bytes_.size();) {
      if (bytes_.size() - at < kChunkHead) refuse(at, "a chunk", left(at));
      const std::size_t size = number_at<std::uint32_t>(bytes_, at + 4), begin = at + kChunkHead;
      const std::string_view name = bytes_.substr(at, 4);
      if (size > bytes_.size() - begin)
        refuse(at, "a chunk of " + std::to_string(size) + " bytes", left(begin));
      if (name == "fmt ") {
        check_format(begin, size, rate);
        described = true;
      }
      if (name == "data") {
        if (!described) refuse(at, "the format before the samples", "none");
        return samples_at(begin, size);
      }
      at = begin + size + size % 2;
    }
    refuse(bytes_.size(), "samples in a chunk 'data'", "the end of the file");
  }

 private:
  [[noreturn]] void refuse(std::size_t at, const std::string& expected, const std::string& got) {
    refuse_file(path_, at_byte(at), expected, got);
  }
  std::string left(std::size_t at) const {
    return std::to_string(bytes_.size() - at) + " bytes to the end of the file";
  }

  void check_format(std::size_t at, std::size_t size, std::uint32_t rate) {
    if (size < kFormat)
      refuse(at, "a format of at least 16 bytes", std::to_string(size) + " bytes");
    const auto expect = [&](std::size_t where, std::uint32_t found, std::uint32_t wanted,
                            const char* what) {
      if (found != wanted)
        refuse(at + where, std::string(what) + " " + std::to_string(wanted), std::to_string(found));
    };
    expect(0, number_at<std::uint16_t>(bytes_, at), kPcm, "plain samples, format");
    expect(2, number_at<std::uint16_t>(bytes_, at + 2), 1, "channels:");
    expect(4, number_at<std::uint32_t>(bytes_, at + 4), rate, "samples a second:");
    expect(14, number_at<std::uint16_t>(bytes_, at + 14), 16, "bits a sample:");
  }

  std::vector<std::int16_t> samples_at(std::size_t at, std::size_t size) {
    if (size % 2 != 0) refuse(at, "two bytes a sample", std::to_string(size) + " bytes");
    std::vector<std::int16_t> samples(size / 2);
    if (size > 0) std::memcpy(samples.data(), bytes_.data() + at, size);
    return samples;
  }

  const fs::path& path_;
  const std::string_view bytes_;
};

}  // namespace

std::vector<std::int16_t> read_wav(const fs::path& path, std::uint32_t rate, Sha256& contents) {
  const MappedFile file = open_plain(path, contents, kMostWav);
  return WavReader(path, file.bytes()).samples(rate);
}

}  // namespace runner
