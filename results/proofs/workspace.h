// Whether a folder can be a workspace: what file system it lies on, whether SQLite's locks hold
// there, and whether a file written, synced and renamed is there afterwards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace results {

// ----- What kind of file system -----

enum class Reach {
  kLocal,    // one machine, locks are the kernel's
  kNetwork,  // several machines may see it: no WAL
  kMemory,   // gone after a restart
  kUnknown,
};

struct FileSystem {
  std::string name;  // "ext4", "nfs", "0x1234abcd" when it is not in the table
  Reach reach = Reach::kUnknown;
  std::uint64_t bytes_free = 0;  // for this user
  std::uint64_t bytes_total = 0;
};

// Throws std::system_error when `folder` cannot be looked at.
FileSystem file_system_of(const std::filesystem::path& folder);

// The row of the table for statfs's f_type; `mount_type` ("fuse.sshfs") tells FUSE's kinds apart.
FileSystem file_system_kind(std::uint64_t magic, const std::string& mount_type);

// The folder itself, or its nearest ancestor that exists.
std::filesystem::path nearest_existing(const std::filesystem::path& folder);

// ----- SQLite -----

struct SqliteVersion {
  int number = 0;        // of the library that is loaded, 3040001 for 3.40.1
  std::string loaded;    // "3.40.1"
  std::string compiled;  // of the header that we were compiled with
};
SqliteVersion sqlite_version();

// "wal" or "delete". WAL needs memory shared by all who open the database, so one machine, and a
// library without the WAL-reset bug (3.7.0 to 3.51.2: two connections that write and checkpoint
// at the same time can corrupt the file).
std::string journal_mode_for(Reach reach, int version);

// ----- Proofs: each tries it in `folder` and leaves nothing behind -----

struct Proof {
  bool holds = false;
  std::string what;   // what was seen, or the first thing that went wrong
  bool tried = true;  // false: the folder cannot be written at all, which proves nothing
};

// Two processes and one database: the second writer is refused while the first holds the lock, gets
// it when the first is done, and a killed holder's lock is free at once. `vfs` is one of SQLite's
// ways to reach files, empty for the usual one; "unix-none" has no locks and must be found out.
Proof prove_locks(const std::filesystem::path& folder, const std::string& vfs = "");

// A file is written, synced, renamed, its folder synced, and read back.
Proof prove_rename(const std::filesystem::path& folder);

// What a proof that was killed may have left: its files are named ".lcsm-doctor.<pid>.*". Those of
// processes that are gone are removed once they are a minute old. Returns how many.
int sweep_proofs(const std::filesystem::path& folder);

}  // namespace results
