// Whether the process that claimed a run lives: at once where it is of this host; elsewhere by
// signs of life, judged by the clock of this process alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "runner/workspace/claim.h"

namespace runner {

enum class ClaimLife {
  kFree,    // there is no claim, its training has ended, or its process is dead
  kAlive,   // it has given a sign since this process watches it
  kUnsure,  // neither yet
};

class ClaimWatch {
 public:
  // This process's claims are free: the caller asks only for what it does not train. `number`: of
  // the claim that was judged, 0 for none.
  ClaimLife look(const std::filesystem::path& folder, double now, std::int64_t* number);

 private:
  struct Seen {
    std::int64_t number = 0, sign = 0;
    double since = 0;
    bool moved = false;
  };
  const ClaimOwner self_ = this_owner();
  std::map<std::string, Seen> seen_;  // by folder
};

// Without watching it, for people: who trains the run on another host, where the last sign is
// recent by the clocks of both; "" if nobody does. On this host the lock of the event file says it.
std::string who_trains_elsewhere(const std::filesystem::path& folder);

// Who may train it, here or elsewhere, where a mistake would do harm: a claim of another host may
// live until its end was seen. "": nobody.
std::string who_may_train(const std::filesystem::path& folder);

}  // namespace runner
