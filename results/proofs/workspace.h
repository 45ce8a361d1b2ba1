// Checks if a folder can be a workspace: its file system, SQLite's locks, and that a file can be
// written, synced, renamed and read back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace results {

// ----- The file system -----

enum class Reach {
  kLocal,    // one host; its kernel holds the locks
  kNetwork,  // several hosts may see it: no WAL
  kMemory,   // lost on a restart
  kUnknown,
};

struct FileSystem {
  std::string name;  // "ext4", "nfs", "0x1234abcd" for one that is not in the table
  Reach reach = Reach::kUnknown;
  std::uint64_t bytes_free = 0;  // for this user
  std::uint64_t bytes_total = 0;
};

// Throws std::system_error when `folder` cannot be examined.
FileSystem file_system_of(const std::filesystem::path& folder);

// Classifies a file system by statfs's f_type; `mount_type` ("fuse.sshfs") distinguishes those on
// FUSE.
FileSystem file_system_kind(std::uint64_t magic, const std::string& mount_type);

// The folder itself, or its nearest existing ancestor.
std::filesystem::path nearest_existing(const std::filesystem::path& folder);

// ----- SQLite -----

struct SqliteVersion {
  int number = 0;        // of the loaded library, 3040001 for 3.40.1
  std::string loaded;    // "3.40.1"
  std::string compiled;  // of the header that this program was compiled with
};
SqliteVersion sqlite_version();

// "wal" or "delete". WAL needs memory shared by all processes, hence one host, and a library
// without the WAL-reset bug (3.7.0 to 3.51.2: two connections that write and checkpoint at the same
// time can corrupt the file).
std::string journal_mode_for(Reach reach, int version);

// ----- Proofs: each runs in `folder` and leaves nothing behind -----

struct Proof {
  bool holds = false;
  std::string what;   // the observation, or the first failure
  bool tried = true;  // false: the folder cannot be written at all, so nothing is proven
};

// Two processes, one database: the second writer is refused while the first holds the lock, gets it
// when the first is done, and a killed process releases its lock at once. `vfs` names one of
// SQLite's VFS, empty for the default; "unix-none", which has no locks, must fail the proof.
Proof prove_locks(const std::filesystem::path& folder, const std::string& vfs = "");

// Writes, syncs and renames a file, syncs its folder, reads the file back.
Proof prove_rename(const std::filesystem::path& folder);

// Removes the files of killed proofs, ".lcsm-doctor.<pid>.*", if the process has exited and the
// file is a minute old. Returns their number.
int sweep_proofs(const std::filesystem::path& folder);

}  // namespace results
