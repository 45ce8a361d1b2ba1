// The source revision of this program. Only one generated file holds it, so a new commit recompiles
// nothing else.
#pragma once

#include <string>

namespace lcsm {

struct Revision {
  const char* version;
  const char* commit;  // 40 hex digits, empty when built outside a git checkout
  bool dirty;          // tracked files differed from the commit
};

extern const Revision kRevision;

// "0.1.0 (ee1d22d4, modified)"
inline std::string revision_text() {
  const std::string commit = std::string(kRevision.commit).substr(0, 8);
  return std::string(kRevision.version) + " (" + (commit.empty() ? "no git" : commit) +
         (kRevision.dirty ? ", modified)" : ")");
}

}  // namespace lcsm
