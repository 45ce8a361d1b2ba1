#include <sys/vfs.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>

#include "results/proofs/workspace.h"

namespace results {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::uint64_t magic;
  const char* name;
  Reach reach;
};

// f_type of statfs(2), from the kernel's headers and each file system's own.
constexpr Row kKinds[] = {
    {0xEF53, "ext4", Reach::kLocal},          {0x58465342, "xfs", Reach::kLocal},
    {0x9123683E, "btrfs", Reach::kLocal},     {0x2FC12FC1, "zfs", Reach::kLocal},
    {0xCA451A4E, "bcachefs", Reach::kLocal},  {0xF2F52010, "f2fs", Reach::kLocal},
    {0x794C7630, "overlayfs", Reach::kLocal}, {0x52654973, "reiserfs", Reach::kLocal},
    {0x3153464A, "jfs", Reach::kLocal},       {0x7366746E, "ntfs3", Reach::kLocal},
    {0x5346544E, "ntfs", Reach::kLocal},      {0x4D44, "vfat", Reach::kLocal},
    {0x2011BAB0, "exfat", Reach::kLocal},     {0x01021994, "tmpfs", Reach::kMemory},
    {0x858458F6, "ramfs", Reach::kMemory},    {0x6969, "nfs", Reach::kNetwork},
    {0xFF534D42, "cifs", Reach::kNetwork},    {0xFE534D42, "smb2", Reach::kNetwork},
    {0x517B, "smb", Reach::kNetwork},         {0x01021997, "9p", Reach::kNetwork},
    {0x0BD00BD0, "lustre", Reach::kNetwork},  {0x47504653, "gpfs", Reach::kNetwork},
    {0x19830326, "beegfs", Reach::kNetwork},  {0x00C36400, "ceph", Reach::kNetwork},
    {0x5346414F, "afs", Reach::kNetwork},     {0x01161970, "gfs2", Reach::kNetwork},
    {0x7461636F, "ocfs2", Reach::kNetwork},   {0x20030528, "orangefs", Reach::kNetwork},
    {0xAAD7AAEA, "panfs", Reach::kNetwork},   {0x6E736673, "wekafs", Reach::kNetwork},
    {0x786F4256, "vboxsf", Reach::kNetwork},  {0xBACBACBC, "vmhgfs", Reach::kNetwork},
    {0x73757245, "coda", Reach::kNetwork},    {0x6A656A63, "virtiofs", Reach::kNetwork},
};

constexpr std::uint64_t kFuse = 0x65735546;

// The type of the mount that holds `folder`, from /proc/self/mountinfo: the longest mount point
// that is a prefix; of equal ones the last, which covers the others.
std::string mount_type_of(const fs::path& folder) {
  std::ifstream in("/proc/self/mountinfo");
  const std::string path = folder.string() + "/";
  std::string best, type;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string skip, point, word;
    words >> skip >> skip >> skip >> skip >> point;
    while (words >> word && word != "-") continue;
    words >> word;
    const std::string prefix = point == "/" ? point : point + "/";
    if (path.starts_with(prefix) && prefix.size() >= best.size()) {
      best = prefix;
      type = word;
    }
  }
  return type;
}

// FUSE serves both network file systems (sshfs, rclone, s3fs, clusters' clients) and local ones
// such as ntfs-3g.
FileSystem fuse_kind(const std::string& mount_type) {
  for (const char* local : {"fuseblk", "fuse.ntfs-3g", "fuse.fuse-overlayfs", "fuse.bindfs"})
    if (mount_type == local) return {mount_type, Reach::kLocal};
  return {mount_type.empty() ? "fuse" : mount_type, Reach::kNetwork};
}

}  // namespace

FileSystem file_system_kind(std::uint64_t magic, const std::string& mount_type) {
  if (magic == kFuse) return fuse_kind(mount_type);
  for (const Row& row : kKinds)
    if (row.magic == magic) {
      // ext2, ext3 and ext4 share a number; so do NFS 3 and 4.
      const bool finer = mount_type.starts_with("ext") || mount_type.starts_with("nfs");
      return {finer ? mount_type : row.name, row.reach};
    }
  char number[24];
  std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(magic));
  return {mount_type.empty() ? number : mount_type, Reach::kUnknown};
}

FileSystem file_system_of(const fs::path& folder) {
  struct statfs found {};
  if (statfs(folder.c_str(), &found) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string());
  // f_type is signed and narrower on some platforms.
  const auto magic = static_cast<std::uint32_t>(found.f_type);
  FileSystem kind = file_system_kind(magic, mount_type_of(fs::weakly_canonical(folder)));
  kind.bytes_free = std::uint64_t{found.f_bavail} * static_cast<std::uint64_t>(found.f_bsize);
  kind.bytes_total = std::uint64_t{found.f_blocks} * static_cast<std::uint64_t>(found.f_bsize);
  return kind;
}

fs::path nearest_existing(const fs::path& folder) {
  fs::path at = fs::absolute(folder).lexically_normal();
  std::error_code ignored;
  while (!fs::exists(at, ignored) && at.has_parent_path() && at != at.parent_path())
    at = at.parent_path();
  return at;
}

}  // namespace results
