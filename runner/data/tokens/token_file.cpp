#include "runner/data/tokens/token_file.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "results/files/checksum.h"

namespace runner {
namespace {

// Numbers are in host byte order: a cache is only read on the kind of host that wrote it.
struct Header {
  std::array<char, 8> magic = {'l', 'c', 's', 'm', 't', 'o', 'k', '2'};
  std::uint32_t width = 0, vocab = 0, boundary = 0;
  std::array<char, 44> none{};
};
static_assert(sizeof(Header) == 64);

struct Trailer {
  std::uint64_t size = 0;  // tokens
  std::uint64_t crc = 0;   // CRC-32 of all before the trailer
};
static_assert(sizeof(Trailer) == 16);

// Writes a file and computes its checksum.
class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}

  void write(const void* data, std::size_t bytes) {
    file_.write(data, bytes);
    crc_ = results::crc32({static_cast<const char*>(data), bytes}, crc_);
  }
  void finish(std::uint64_t tokens) {
    const Trailer trailer{tokens, crc_};
    file_.write(&trailer, sizeof trailer);
    file_.keep();
  }

 private:
  lcsm::WholeFile file_;
  std::uint32_t crc_ = 0;
};

std::uint32_t width_for(std::uint32_t vocab) {
  return vocab <= 0x100 ? 1 : vocab <= 0x10000 ? 2 : 4;
}

template <typename Narrow>
void widen(std::string_view from, std::span<std::int32_t> into) {
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] = static_cast<std::int32_t>(number_at<Narrow>(from, i * sizeof(Narrow)));
}

template <typename Narrow>
void write_narrow(Writer& file, const std::vector<std::uint32_t>& tokens) {
  const std::vector<Narrow> narrow(tokens.begin(), tokens.end());
  file.write(narrow.data(), narrow.size() * sizeof(Narrow));
}

void write_piece(Writer& file, const std::vector<std::uint32_t>& tokens, std::uint32_t width) {
  if (width == 1) write_narrow<std::uint8_t>(file, tokens);
  if (width == 2) write_narrow<std::uint16_t>(file, tokens);
  if (width == 4) write_narrow<std::uint32_t>(file, tokens);
}

// About a megabyte, up to the end of a line.
std::string_view piece_of(std::string_view text) {
  constexpr std::size_t kPiece = 1 << 20;
  if (text.size() <= kPiece) return text;
  const std::size_t end = text.find('\n', kPiece);
  return text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
}

}  // namespace

TokenFile::TokenFile(const std::string& path) : file_(path) {
  Header header;
  Trailer trailer;
  const std::string_view bytes = file_.bytes();
  constexpr std::size_t kFrame = sizeof header + sizeof trailer;
  const bool framed = bytes.size() >= kFrame;
  if (framed) {
    std::memcpy(&header, bytes.data(), sizeof header);
    std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof trailer, sizeof trailer);
  }
  const bool good = framed && header.magic == Header().magic &&
                    header.width == width_for(header.vocab) && header.boundary < header.vocab &&
                    (bytes.size() - kFrame) % header.width == 0 &&
                    (bytes.size() - kFrame) / header.width == trailer.size;
  if (!good)
    throw std::runtime_error("'" + path + "': expected a token file, got " +
                             std::to_string(bytes.size()) + " bytes of other data");
  if (results::crc32(bytes.substr(0, bytes.size() - sizeof trailer)) != trailer.crc)
    throw std::runtime_error("'" + path + "': its tokens differ from what was written");
  size_ = trailer.size;
  width_ = header.width;
  vocab_ = header.vocab;
  boundary_ = header.boundary;
}

void TokenFile::copy(std::uint64_t from, std::span<std::int32_t> into) const {
  if (from > size_ || into.size() > size_ - from)
    throw std::out_of_range("[TokenFile] expected a range within " + std::to_string(size_) +
                            " tokens, got " + std::to_string(into.size()) + " tokens from " +
                            std::to_string(from));
  const std::string_view at = file_.bytes().substr(sizeof(Header) + from * width_);
  if (width_ == 1) widen<std::uint8_t>(at, into);
  if (width_ == 2) widen<std::uint16_t>(at, into);
  if (width_ == 4) widen<std::uint32_t>(at, into);
}

void write_tokens(const std::string& path, std::string_view text, Tokenizer& tokenizer,
                  const std::function<void()>& check) {
  Header header;
  header.vocab = tokenizer.size();
  header.boundary = tokenizer.boundary();
  header.width = width_for(header.vocab);
  Writer file(path);
  file.write(&header, sizeof header);
  std::uint64_t size = 0;
  for (std::vector<std::uint32_t> tokens; !text.empty(); tokens.clear()) {
    const std::string_view piece = piece_of(text);
    tokenizer.encode(piece, tokens);
    write_piece(file, tokens, header.width);
    size += tokens.size();
    text.remove_prefix(piece.size());
  }
  check();
  file.finish(size);
}

}  // namespace runner
