#include "lcsm/files/confined.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <system_error>
#include <vector>

namespace lcsm {
namespace {

namespace fs = std::filesystem;

struct Root {
  std::string path, apart;  // absolute and normal; apart: "/w/data", or empty
};

// The longest path first. Never destroyed, since other threads may still read it while the process
// exits.
struct Roots {
  std::shared_mutex mutex;
  std::vector<Root> all;
};
Roots& all_roots() {
  static Roots& roots = *new Roots;
  return roots;
}

// A path below a confined folder.
struct Place {
  std::string root, rest;  // rest: "." for the folder itself
};

std::string normal(const fs::path& path) {
  std::error_code unknown;
  std::string text = fs::absolute(path, unknown).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/');
}

std::optional<Place> place_of(const fs::path& path) {
  Roots& roots = all_roots();
  const std::shared_lock lock(roots.mutex);
  if (roots.all.empty()) return std::nullopt;
  const std::string text = normal(path);
  for (const auto& [root, apart] : roots.all) {
    if (!is_below(text, root)) continue;
    if (!apart.empty() && is_below(text, apart)) return std::nullopt;
    if (text.size() == root.size()) return Place{root, "."};
    return Place{root, text.substr(root.size() + (root.ends_with('/') ? 0 : 1))};
  }
  return std::nullopt;
}

// Opens a path name by name, for kernels before 5.6 and sandboxes that do not know openat2.
int open_by_hand(int folder, const std::string& rest, int flags) {
  int at = dup(folder);
  for (std::size_t begin = 0; at >= 0;) {
    const std::size_t end = std::min(rest.find('/', begin), rest.size());
    const std::string name = rest.substr(begin, end - begin);
    const bool last = end == rest.size();
    const int next = openat(at, name.c_str(),
                            O_NOFOLLOW | O_CLOEXEC | (last ? flags : O_PATH | O_DIRECTORY), 0666);
    const int reason = errno;
    struct stat facts {};
    const bool link = next < 0 && reason == ENOTDIR &&
                      fstatat(at, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                      S_ISLNK(facts.st_mode);
    close(at);
    errno = link ? ELOOP : reason;
    if (last) return next;
    at = next;
    begin = end + 1;
  }
  return -1;
}

int open_below(const Place& place, int flags) {
  const int root = open(place.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return -1;
  struct open_how how {};
  how.flags = static_cast<std::uint64_t>(flags);
  how.mode = (flags & O_CREAT) != 0 ? 0666 : 0;
  how.resolve = RESOLVE_NO_SYMLINKS;
  int file = static_cast<int>(syscall(SYS_openat2, root, place.rest.c_str(), &how, sizeof how));
  if (file < 0 && (errno == ENOSYS || errno == EPERM)) file = open_by_hand(root, place.rest, flags);
  const int reason = errno;
  close(root);
  errno = reason;
  return file;
}

}  // namespace

void confine(const fs::path& folder, const std::string& apart) {
  Roots& roots = all_roots();
  const std::unique_lock lock(roots.mutex);
  std::error_code unknown;
  for (const std::string& root : {normal(folder), normal(fs::weakly_canonical(folder, unknown))}) {
    const auto same = [&](const Root& one) { return one.path == root; };
    if (root.empty() || std::any_of(roots.all.begin(), roots.all.end(), same)) continue;
    roots.all.push_back({root, apart.empty() ? "" : normal(fs::path(root) / apart)});
  }
  std::stable_sort(roots.all.begin(), roots.all.end(),
                   [](const Root& a, const Root& b) { return a.path.size() > b.path.size(); });
}

int open_confined(const fs::path& path, int flags) {
  flags |= O_CLOEXEC | O_NONBLOCK;
  const std::optional<Place> place = place_of(path);
  if (!place) {
    if ((flags & O_ACCMODE) != O_RDONLY) flags |= O_NOFOLLOW;
    return open(path.c_str(), flags, 0666);
  }
  const int file = open_below(*place, flags);
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0) return file;
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) return file;
  close(file);
  errno = ENXIO;
  return -1;
}

fs::path link_on_the_way(const fs::path& path) {
  const std::optional<Place> place = place_of(path);
  if (!place || place->rest == ".") return {};
  fs::path at = place->root;
  for (const fs::path& name : fs::path(place->rest)) {
    std::error_code missing;
    if (fs::is_symlink(fs::symlink_status(at /= name, missing))) return at;
    if (missing) return {};
  }
  return {};
}

}  // namespace lcsm
