// Decides if the process that claimed a run is alive: immediately on this host; on other hosts by
// signs of life, judged by this process's clock alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "runner/workspace/claim.h"

namespace runner {

enum class ClaimLife {
  kFree,    // there is no claim, its training has ended, or its process is dead
  kAlive,   // has given a sign since this process watches it
  kUnsure,  // neither yet
};

class ClaimWatch {
 public:
  // This process's own claims count as free: the caller asks only about runs that it does not
  // train. `number`: the claim that was judged, 0 for none.
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

// Names who trains the run on another host if the last sign of life is recent by the clocks of
// both; "" if nobody does. Does not watch, so it serves only for messages. On this host the lock of
// the event file tells.
std::string who_trains_elsewhere(const std::filesystem::path& folder);

// Names who may train the run, here or elsewhere, where a mistake would do harm: a claim of another
// host counts as alive until its end was seen. "": nobody.
std::string who_may_train(const std::filesystem::path& folder);

}  // namespace runner
