#include <fmt/format.h>

#include <system_error>

#include "runner/base/text/counts.h"
#include "runner/front/doctor/checks.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::FileSystem;
using results::Proof;
using results::Reach;

constexpr const char* kElsewhere =
    "Put the workspace on a local disk: --workspace FOLDER, or LCSM_WORKSPACE.";

Check proof_check(const char* name, const Proof& proof, const std::string& danger) {
  Check check{name, State::kOk, proof.what, "", {{"holds", proof.holds}}};
  if (proof.holds) return check;
  check.state = State::kFail;
  check.advice = (proof.tried ? danger : "Nothing can be written here.") + " " + kElsewhere;
  return check;
}

Check workspace_check(const fs::path& workspace, const fs::path& tested) {
  Check check{"workspace", State::kOk, workspace.string(), "", {}};
  check.data = {{"path", workspace.string()}, {"tested", tested.string()}};
  std::error_code ignored;
  if (!fs::is_directory(tested, ignored)) {
    check.state = State::kFail;
    check.advice = tested.string() + " is not a folder.";
  } else if (tested != workspace) {
    check.value += " (will be created; tested: " + tested.string() + ")";
  }
  return check;
}

}  // namespace

Check file_system_check(const FileSystem& kind) {
  Check check{"file system", State::kOk, kind.name, "", {{"kind", kind.name}}};
  if (kind.reach == Reach::kLocal) return check;
  check.state = State::kWarn;
  if (kind.reach == Reach::kMemory) {
    check.value += ", in memory";
    check.advice = "Everything in it is lost when the host restarts.";
  } else if (kind.reach == Reach::kNetwork) {
    check.value += ", a network file system";
    check.advice =
        "results.db does not use WAL here. Use this workspace from one host at a time: locks "
        "between hosts cannot be tested from one of them.";
  } else {
    check.value += ", of unknown kind";
    check.advice = "results.db does not use WAL here; a local disk is safer.";
  }
  return check;
}

Check locks_check(const Proof& proof) {
  return proof_check("locks", proof,
                     "SQLite's locks do not work here: results.db would be corrupted.");
}

Check rename_check(const Proof& proof) {
  return proof_check("rename", proof, "Checkpoints could not be written safely.");
}

Check disk_check(const FileSystem& kind) {
  Check check{"disk",
              State::kOk,
              fmt::format("{:.1f} GiB free of {:.1f}", gib(kind.bytes_free), gib(kind.bytes_total)),
              "",
              {{"free", kind.bytes_free}, {"total", kind.bytes_total}}};
  if (gib(kind.bytes_free) < 0.25) {
    check.state = State::kFail;
    check.advice = "A checkpoint of the paper's models does not fit; free some space.";
  } else if (gib(kind.bytes_free) < 10) {
    check.state = State::kWarn;
    check.advice = "The data sets and checkpoints of a large sweep need more space.";
  }
  return check;
}

Check sqlite_check(const results::SqliteVersion& version, Reach reach) {
  constexpr int kFirstWithStrictTables = 3037000;
  const std::string journal = results::journal_mode_for(reach, version.number);
  Check check{"sqlite", State::kOk, version.loaded + ", journal mode " + journal, "", {}};
  check.data = {
      {"loaded", version.loaded}, {"compiled", version.compiled}, {"journal_mode", journal}};
  if (version.number < kFirstWithStrictTables) {
    check.state = State::kFail;
    check.advice = "results.db needs SQLite 3.37 or newer (STRICT tables).";
  } else if (version.number < 3051003) {
    check.value += " (WAL needs 3.51.3: older versions can corrupt the database)";
  }
  return check;
}

std::vector<Check> check_workspace(const fs::path& given) {
  const fs::path workspace = fs::absolute(given).lexically_normal();
  const fs::path tested = results::nearest_existing(workspace);
  std::vector<Check> checks = {workspace_check(workspace, tested)};
  FileSystem kind;
  if (checks.back().state == State::kOk) {
    try {
      kind = results::file_system_of(tested);
      results::sweep_proofs(tested);
      checks.push_back(file_system_check(kind));
      checks.push_back(disk_check(kind));
      checks.push_back(locks_check(results::prove_locks(tested)));
      checks.push_back(rename_check(results::prove_rename(tested)));
    } catch (const std::system_error& error) {
      checks.push_back({"file system", State::kFail, error.what(), kElsewhere, {}});
    }
  }
  checks.push_back(sqlite_check(results::sqlite_version(), kind.reach));
  return checks;
}

}  // namespace runner
