// The functions of libarchive that are used here. The library is opened when the first archive is
// read, so programs start without it and its dependencies.
#pragma once

#include <archive.h>
#include <archive_entry.h>

namespace runner {

struct Libarchive {
  Libarchive();  // throws DataMissing if the library is missing

  // clang-format off
#define LCSM_LIBARCHIVE(each)             \
  each(archive_read_new)                  \
  each(archive_read_free)                 \
  each(archive_read_support_filter_bzip2) \
  each(archive_read_support_filter_gzip)  \
  each(archive_read_support_filter_lzma)  \
  each(archive_read_support_filter_xz)    \
  each(archive_read_support_filter_zstd)  \
  each(archive_read_support_format_tar)   \
  each(archive_read_support_format_zip)   \
  each(archive_read_support_format_raw)   \
  each(archive_read_open_filename)        \
  each(archive_read_next_header)          \
  each(archive_read_data)                 \
  each(archive_error_string)              \
  each(archive_filter_bytes)              \
  each(archive_format)                    \
  each(archive_entry_pathname)            \
  each(archive_entry_pathname_utf8)       \
  each(archive_entry_filetype)            \
  each(archive_entry_hardlink)
  // clang-format on
#define LCSM_MEMBER(name) decltype(&::name) name = nullptr;
  LCSM_LIBARCHIVE(LCSM_MEMBER)
#undef LCSM_MEMBER
};

}  // namespace runner
