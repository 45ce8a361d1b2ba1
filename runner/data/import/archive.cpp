#include "runner/data/import/archive.h"

#include <fcntl.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <span>
#include <vector>

#include "lcsm/base/safe_text.h"
#include "lcsm/base/words.h"
#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "runner/config/run/run_config.h"
#include "runner/data/import/libarchive.h"
#include "runner/data/import/plain_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uint64_t kMostEntries = 20'000'000;
constexpr std::uint64_t kMostRead = std::uint64_t{1} << 38;  // bytes, including skipped entries
constexpr std::size_t kPiece = 1 << 17;

bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view start = pattern.substr(0, star), end = pattern.substr(star + 1);
  return name.size() > start.size() + end.size() && name.starts_with(start) && name.ends_with(end);
}

std::string joined(const std::vector<std::string_view>& parts, std::size_t begin, std::size_t end) {
  const std::span some(parts.data() + begin, parts.data() + end);
  return lcsm::joined_of(
      some, [](std::string_view part) { return part; }, "/");
}

// True if the folder's path ends with the parts of `inside`.
bool is_inside(const std::string& folder, std::string_view inside) {
  return inside.empty() || ("/" + folder).ends_with("/" + std::string(inside));
}

class Unpacker {
 public:
  Unpacker(const Unpacking& what, const fs::path& into)
      : what_(what), into_(into), all_bytes_(fs::file_size(what.archive)) {}
  ~Unpacker() { lib_.archive_read_free(archive_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  fs::path unpack() {
    // Not all filters: some start programs, chosen by the archive's first bytes.
    lib_.archive_read_support_filter_bzip2(archive_);
    lib_.archive_read_support_filter_gzip(archive_);
    lib_.archive_read_support_filter_lzma(archive_);
    lib_.archive_read_support_filter_xz(archive_);
    lib_.archive_read_support_filter_zstd(archive_);
    lib_.archive_read_support_format_tar(archive_);
    lib_.archive_read_support_format_zip(archive_);
    lib_.archive_read_support_format_raw(archive_);
    if (lib_.archive_read_open_filename(archive_, what_.archive.c_str(), kPiece) != ARCHIVE_OK)
      fail("an archive", error());
    archive_entry* entry = nullptr;
    for (int code; (code = lib_.archive_read_next_header(archive_, &entry)) != ARCHIVE_EOF;) {
      if (code < ARCHIVE_WARN) fail("an archive, or a compressed file", error());
      if (++entries_ > kMostEntries)
        fail("at most " + std::to_string(kMostEntries) + " entries", "more");
      take(entry);
      progress();
    }
    if (files_ == 0)
      fail("files " + std::string(what_.files) +
               (what_.inside.empty() ? "" : " in a folder " + std::string(what_.inside)),
           "none of them among " + std::to_string(entries_) + " entries");
    return into_ / folder_name();
  }

 private:
  [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
    const std::string where = entries_ == 0 ? ""
                                            : "entry " + std::to_string(entries_) +
                                                  (name_.empty() ? "" : " '" + name_ + "'");
    refuse_file(what_.archive, lcsm::safe_text(where), expected, got);
  }

  std::string error() const {
    const char* text = lib_.archive_error_string(archive_);
    return std::string(text == nullptr ? "a damaged one" : text) + " near byte " +
           std::to_string(std::max<la_int64_t>(0, lib_.archive_filter_bytes(archive_, -1)));
  }

  void progress() const {
    const auto done = static_cast<std::uint64_t>(
        std::max<la_int64_t>(0, lib_.archive_filter_bytes(archive_, -1)));
    if (what_.progress) what_.progress(std::min(done, all_bytes_), all_bytes_);
    const la_int64_t read = lib_.archive_filter_bytes(archive_, 0);
    if (read > 0 && static_cast<std::uint64_t>(read) > kMostRead)
      fail("at most " + std::to_string(kMostRead) + " bytes unpacked", "more");
  }

  std::string name_of(archive_entry* entry) const {
    if (lib_.archive_format(archive_) == ARCHIVE_FORMAT_RAW)
      return what_.archive.stem().string();  // a compressed file has no name
    const char* name = lib_.archive_entry_pathname(entry);
    if (name == nullptr) name = lib_.archive_entry_pathname_utf8(entry);
    return name == nullptr ? "" : name;
  }

  // The parts of the path; empty for a path that none of our files could have.
  std::vector<std::string_view> parts_of_name() const {
    std::vector<std::string_view> parts = fields_of(name_, '/');
    if (parts.front().empty() && parts.size() > 1)
      fail("a path below a folder", "an absolute path");
    std::erase_if(parts, [](std::string_view part) { return part.empty() || part == "."; });
    for (const std::string_view part : parts) {
      if (part == "..") fail("a path below a folder", "one that leaves it");
      if (part == "__MACOSX" || part.starts_with("._")) return {};
    }
    return parts;
  }

  void take(archive_entry* entry) {
    name_ = name_of(entry);
    const std::vector<std::string_view> parts = parts_of_name();
    const std::size_t count = matching_parts(what_.files, joined(parts, 0, parts.size()));
    if (count == 0) return;
    const std::string root = joined(parts, 0, parts.size() - count);
    if (!is_inside(root, what_.inside)) return;
    const auto type = lib_.archive_entry_filetype(entry);
    if (lib_.archive_entry_hardlink(entry) != nullptr || type == AE_IFLNK) fail("a file", "a link");
    if (type == AE_IFDIR) return;
    // Only entries of tar and zip have a type.
    if (type != AE_IFREG && lib_.archive_format(archive_) != ARCHIVE_FORMAT_RAW)
      fail("a file", "a device or the like");
    if (files_++ == 0) root_ = root;
    if (root != root_)
      fail("the files in one folder", "more in '" + root_ +
                                          "': choose one with --inside, such as --inside " +
                                          (root.empty() ? root_ : root));
    write(into_ / folder_name() / joined(parts, parts.size() - count, parts.size()));
  }

  std::string folder_name() const {
    const std::string name = root_.substr(root_.rfind('/') + 1);
    return name.empty() ? "files" : name;
  }

  void write(const fs::path& path) {
    std::error_code none;
    fs::create_directories(path.parent_path(), none);
    const lcsm::OpenFile file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file.is_open() && errno == EEXIST) fail("each file once", "a duplicate");
    if (!file.is_open()) cannot_write(path);
    for (;;) {
      const la_ssize_t got = lib_.archive_read_data(archive_, piece_.get(), kPiece);
      if (got < 0) fail("the contents of the file", error());
      if (got == 0) return;
      written_ += static_cast<std::uint64_t>(got);
      if (written_ > what_.most_bytes)
        fail("at most " + std::to_string(what_.most_bytes) + " bytes unpacked", "more");
      if (!lcsm::write_all(file.handle(), {piece_.get(), static_cast<std::size_t>(got)}))
        cannot_write(path);
      progress();
    }
  }

  [[noreturn]] static void cannot_write(const fs::path& path) {
    const int error = errno;
    throw lcsm::WriteError(error, "'" + path.string() + "' cannot be written: " +
                                      std::generic_category().message(error) +
                                      "; free some space, or choose another workspace");
  }

  const Unpacking& what_;
  const fs::path& into_;
  const std::uint64_t all_bytes_;
  const Libarchive lib_;
  archive* const archive_ = lib_.archive_read_new();
  const std::unique_ptr<char[]> piece_ = std::make_unique_for_overwrite<char[]>(kPiece);
  std::uint64_t entries_ = 0, files_ = 0, written_ = 0;
  std::string name_, root_;  // of the entry; of all files
};

// libarchive does not check the CRC of gzip.
void check_gzip(const fs::path& path) {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rb"), gzclose);
  const std::unique_ptr<char[]> piece = std::make_unique_for_overwrite<char[]>(kPiece);
  for (;;) {
    const int got = gzread(file.get(), piece.get(), kPiece);
    int code = Z_OK;
    const char* const text = gzerror(file.get(), &code);
    if (got < 0 || (got == 0 && code != Z_OK && code != Z_STREAM_END))
      refuse_file(path,
                  at_byte(static_cast<std::uint64_t>(std::max<z_off_t>(0, gzoffset(file.get())))),
                  "a complete gzip file", text);
    if (got == 0) return;
  }
}

}  // namespace

bool is_archive(const fs::path& path) {
  constexpr std::array kEnds = {".tar", ".tgz", ".zip", ".gz", ".xz", ".bz2", ".zst"};
  return std::find(kEnds.begin(), kEnds.end(), path.extension()) != kEnds.end();
}

std::size_t matching_parts(std::string_view files, std::string_view path) {
  const std::vector<std::string_view> parts = fields_of(path, '/');
  for (const std::string& pattern : lcsm::words_of(files)) {
    const std::vector<std::string_view> wanted = fields_of(pattern, '/');
    if (wanted.size() <= parts.size() &&
        std::equal(wanted.begin(), wanted.end(),
                   parts.end() - static_cast<std::ptrdiff_t>(wanted.size()), fits))
      return wanted.size();
  }
  return 0;
}

fs::path unpack(const Unpacking& unpacking, const fs::path& into) {
  const fs::path folder = Unpacker(unpacking, into).unpack();
  check_gzip(unpacking.archive);
  return folder;
}

}  // namespace runner
