#include "lcsm/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lcsm/files/confined.h"

namespace lcsm {
namespace {

namespace fs = std::filesystem;

const char* advice(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "create its folder first";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or write elsewhere";
    case EFBIG:
      return "raise the limit (ulimit -f), or write less";
    default:
      return "write elsewhere";
  }
}

[[noreturn]] void fail(const fs::path& path, int error) {
  throw WriteError(error, "'" + path.string() + "' cannot be written: " + std::strerror(error) +
                              "; " + advice(error));
}

[[noreturn]] void not_created(const fs::path& folder, const std::error_code& error) {
  throw WriteError(error.value(), "'" + folder.string() + "' cannot be created: " +
                                      error.message() + "; choose another workspace");
}

}  // namespace

WriteError::WriteError(int error, std::string sentence)
    : std::system_error(error, std::generic_category()), sentence_(std::move(sentence)) {}

bool is_full(const std::error_code& error) {
  return error == std::errc::no_space_on_device ||
         error == std::error_code(EDQUOT, std::generic_category());
}

void refuse_links(const fs::path& path) {
  const fs::path link = link_on_the_way(path);
  if (!link.empty())
    throw WriteError(ELOOP, "'" + path.string() + "' cannot be written: '" + link.string() +
                                "' is a symbolic link, which is not followed; remove the link");
}

WholeFile::WholeFile(const fs::path& path) : path_(path), target_(path) {
  refuse_links(path);
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) {
    const bool folder = S_ISDIR(found.st_mode);
    if (!S_ISREG(found.st_mode))
      throw WriteError(folder ? EISDIR : EINVAL,
                       "'" + path.string() +
                           "' cannot be written: expected a file or nothing there, got " +
                           (folder ? "a folder" : "a device or pipe") + "; give another path");
    std::error_code error;
    if (fs::is_symlink(path, error)) target_ = fs::canonical(path, error);
    if (error) fail(path_, error.value());
  }
  open_temporary();
}

// O_EXCL, since a process with the same pid on another host may write to the same folder.
void WholeFile::open_temporary() {
  static std::atomic<unsigned> count{0};
  for (int tries = 0; !file_.is_open() && tries < 1000; ++tries) {
    temporary_ = target_;
    temporary_.replace_filename(".lcsm-" + std::to_string(getpid()) + "-" +
                                std::to_string(count++) + ".tmp");
    file_ = OpenFile(temporary_, O_WRONLY | O_CREAT | O_EXCL);
    if (!file_.is_open() && errno != EEXIST && errno != EINTR) break;
  }
  if (file_.is_open()) return;
  const int error = errno;
  temporary_.clear();
  fail(path_, error);
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(const void* data, std::size_t bytes) {
  if (!write_all(file_.handle(), {static_cast<const char*>(data), bytes})) fail(path_, errno);
}

void WholeFile::keep() {
  if (fsync(file_.handle()) != 0) fail(path_, errno);
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, errno);
  temporary_.clear();
  file_ = OpenFile();
  sync_folder(target_.parent_path());
}

void write_whole(const fs::path& path, std::string_view bytes) {
  WholeFile file(path);
  file.write(bytes.data(), bytes.size());
  file.keep();
}

void create_folder(const fs::path& folder) {
  refuse_links(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) not_created(folder, error);
}

bool create_one_folder(const fs::path& folder) {
  refuse_links(folder);
  std::error_code error;
  const bool created = fs::create_directory(folder, error);
  if (error) not_created(folder, error);
  return created;
}

void sync_folder(const fs::path& folder) {
  const OpenFile handle(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  const bool synced = handle.is_open() && fsync(handle.handle()) == 0;
  if (!synced && errno != EINVAL && errno != EACCES) fail(folder, errno);
}

void sync_file(const fs::path& path) {
  const OpenFile file(path, O_RDONLY);
  if (!file.is_open() || fsync(file.handle()) != 0) fail(path, errno);
}

bool is_leftover(const fs::path& name) {
  const std::string text = name.filename().string();
  if (text.starts_with('.') && text.ends_with(".tmp")) return true;
  return text.starts_with(".new-") || text.starts_with(".old-") || text.starts_with(".gone-");
}

}  // namespace lcsm
