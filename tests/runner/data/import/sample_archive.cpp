#include "tests/runner/data/import/sample_archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <stdexcept>

namespace runner {
namespace {

void check(archive* writer, int code) {
  if (code < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(writer));
}

void write(archive* writer, const SampleEntry& sample) {
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_pathname(entry, sample.path.c_str());
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_filetype(entry, AE_IFREG);
  switch (sample.kind) {
    case EntryKind::kFile:
      archive_entry_set_size(entry, static_cast<la_int64_t>(sample.contents.size()));
      break;
    case EntryKind::kSymbolicLink:
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, sample.contents.c_str());
      break;
    case EntryKind::kHardLink:
      archive_entry_set_hardlink(entry, sample.contents.c_str());
      break;
    case EntryKind::kDevice:
      archive_entry_set_filetype(entry, AE_IFCHR);
      break;
  }
  check(writer, archive_write_header(writer, entry));
  if (sample.kind == EntryKind::kFile)
    check(writer,
          static_cast<int>(std::min<la_ssize_t>(
              0, archive_write_data(writer, sample.contents.data(), sample.contents.size()))));
  archive_entry_free(entry);
}

}  // namespace

std::string sample_archive(const std::string& end, const std::vector<SampleEntry>& entries) {
  std::string bytes;
  archive* const writer = archive_write_new();
  check(writer, end == ".zip" ? archive_write_set_format_zip(writer)
                              : archive_write_set_format_pax_restricted(writer));
  if (end == ".tar.gz") check(writer, archive_write_add_filter_gzip(writer));
  if (end == ".tar.xz") check(writer, archive_write_add_filter_xz(writer));
  check(writer, archive_write_set_bytes_in_last_block(writer, 1));  // without padding
  const auto take = [](archive*, void* into, const void* data, std::size_t size) {
    static_cast<std::string*>(into)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
  };
  check(writer, archive_write_open(writer, &bytes, nullptr, take, nullptr));
  for (const SampleEntry& entry : entries) write(writer, entry);
  check(writer, archive_write_close(writer));
  archive_write_free(writer);
  return bytes;
}

}  // namespace runner
