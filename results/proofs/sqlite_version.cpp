#include <sqlite3.h>

#include "results/proofs/workspace.h"

namespace results {

SqliteVersion sqlite_version() {
  return {sqlite3_libversion_number(), sqlite3_libversion(), SQLITE_VERSION};
}

std::string journal_mode_for(Reach reach, int version) {
  constexpr int kFirstWithoutResetBug = 3051003;
  const bool one_host = reach == Reach::kLocal || reach == Reach::kMemory;
  return one_host && version >= kFirstWithoutResetBug ? "wal" : "delete";
}

}  // namespace results
