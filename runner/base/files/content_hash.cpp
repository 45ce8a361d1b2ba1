#include "runner/base/files/content_hash.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/files/sha256.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// Identifies a version of a file without reading it.
std::string state_of(const struct stat& found) {
  std::ostringstream text;
  text << found.st_dev << ' ' << found.st_ino << ' ' << found.st_size;
  // A tool can restore the modification time (mtime), but not the inode's change time (ctime).
  for (const timespec& time : {found.st_mtim, found.st_ctim})
    text << ' ' << time.tv_sec << '.' << time.tv_nsec;
  return text.str();
}

// False for a file written just now: another write may leave its times unchanged.
bool settled(const struct stat& found, std::time_t now) {
  return now - found.st_mtim.tv_sec > 2 && now - found.st_ctim.tv_sec > 2;
}

void write_cache_entry(const fs::path& entry, const std::string& text) {
  try {
    lcsm::write_whole(entry, text);
  } catch (const std::exception&) {
    // no such folder, or disk full: the file is hashed again next time
  }
}

}  // namespace

std::string file_sha256(const std::string& path) { return sha256_hex(MappedFile(path).bytes()); }

std::string content_hash(const std::string& path, const std::string& cache_folder, std::time_t now,
                         void (*check)(const std::string& path)) {
  const auto read = [&] {
    if (check != nullptr) check(path);
    return file_sha256(path);
  };
  if (cache_folder.empty()) return read();
  struct stat found {};
  if (stat(path.c_str(), &found) != 0)
    throw std::runtime_error("'" + path + "' cannot be read: " + std::strerror(errno));
  const std::string state = state_of(found);
  const fs::path entry =
      fs::path(cache_folder) / (sha256_hex(fs::absolute(path).string()).substr(0, 32) + ".sha256");
  std::ifstream cached(entry);
  std::string hash, at;
  if (cached >> hash && cached.get() == ' ' && std::getline(cached, at) && at == state) return hash;
  hash = read();
  if (settled(found, now)) write_cache_entry(entry, hash + " " + state + "\n");
  return hash;
}

}  // namespace runner
