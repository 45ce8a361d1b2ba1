// Files from the network, by the program curl: what an interrupted call left is continued.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace runner {

// Whether curl is to fetch it: http, https, ftp or file, and "://".
bool is_url(std::string_view text);

// The last part of its path; "file" if that is none.
std::string name_in_url(std::string_view url);

struct Fetching {
  std::string url;
  std::filesystem::path folder;  // of downloads; made if it is not there
  std::function<void(std::uint64_t bytes)> progress = {};
  std::function<bool()> stop = {};
};

// The file, below a folder named after the hash of the URL. One that is there is not fetched again.
// No value: stopped. Throws DataMissing without curl, IntakeError where curl fails, and
// lcsm::WriteError.
std::optional<std::filesystem::path> fetch(const Fetching& fetching);

}  // namespace runner
