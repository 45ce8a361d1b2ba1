// Downloads files with the program curl. An interrupted download is resumed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace runner {

// True if curl should fetch it: http, https, ftp or file, followed by "://".
bool is_url(std::string_view text);

// The last part of the URL's path; "file" if it is empty.
std::string name_in_url(std::string_view url);

struct Fetching {
  std::string url;
  std::filesystem::path folder;  // for downloads; created if necessary
  std::function<void(std::uint64_t bytes)> progress = {};
  std::function<bool()> stop = {};
  std::string name = {};  // of the downloaded file; empty: name_in_url
  std::uint64_t most_bytes = std::uint64_t{1} << 37;
};

// Downloads the file, unless it exists, to a folder named after the hash of the URL. nullopt:
// stopped. Throws DataMissing without curl, IntakeError if curl fails, and lcsm::WriteError.
std::optional<std::filesystem::path> fetch(const Fetching& fetching);

}  // namespace runner
