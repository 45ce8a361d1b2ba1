#include "runner/files/content_hash.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lcsm/files/whole_file.h"
#include "runner/files/mapped_file.h"
#include "runner/files/sha256.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// What tells one state of a file from another without reading it.
std::string state_of(const struct stat& found) {
  std::ostringstream text;
  text << found.st_dev << ' ' << found.st_ino << ' ' << found.st_size << ' ' << found.st_mtim.tv_sec
       << '.' << found.st_mtim.tv_nsec;
  return text.str();
}

// A file that has just been written may be written again within the same tick of its clock.
bool settled(const struct stat& found) { return std::time(nullptr) - found.st_mtim.tv_sec > 2; }

void keep_note(const fs::path& note, const std::string& text) {
  try {
    lcsm::write_whole(note, text);
  } catch (const std::exception&) {
    // no such folder, or no room: the file is read again the next time
  }
}

}  // namespace

std::string file_sha256(const std::string& path) { return sha256_hex(MappedFile(path).bytes()); }

std::string content_hash(const std::string& path, const std::string& notes_folder) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0)
    throw std::runtime_error("'" + path + "' cannot be read: " + std::strerror(errno));
  const std::string state = state_of(found);
  const fs::path note =
      fs::path(notes_folder) / (sha256_hex(fs::absolute(path).string()).substr(0, 32) + ".sha256");
  std::ifstream noted(note);
  std::string hash, at;
  if (noted >> hash && noted.get() == ' ' && std::getline(noted, at) && at == state) return hash;
  hash = file_sha256(path);
  if (settled(found)) keep_note(note, hash + " " + state + "\n");
  return hash;
}

}  // namespace runner
