// Valid and malicious archives for tests.
#pragma once

#include <string>
#include <vector>

namespace runner {

enum class EntryKind { kFile, kSymbolicLink, kHardLink, kDevice };

struct SampleEntry {
  std::string path, contents;  // of a link: where it leads
  EntryKind kind = EntryKind::kFile;
};

// The bytes of an archive. `end` is the end of its name: .tar, .tar.gz, .tar.xz, .zip.
std::string sample_archive(const std::string& end, const std::vector<SampleEntry>& entries);

}  // namespace runner
