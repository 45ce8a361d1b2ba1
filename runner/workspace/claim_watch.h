// Decides whether the process that claimed a run is alive: on this host at once; on other hosts by
// signs of life, timed by this process's clock alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "runner/workspace/claim.h"

namespace runner {

enum class ClaimLife {
  kFree,    // no claim, its training has ended, or its process is dead
  kAlive,   // has given a sign of life since this process began to watch
  kUnsure,  // not decided yet
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

// Names the process that trains the run on another host, if its last sign of life is recent by both
// hosts' clocks; "" if there is none. Only for messages, since it does not watch. On this host, the
// event file's lock tells.
std::string who_trains_elsewhere(const std::filesystem::path& folder);

// Names the process that may train the run, here or elsewhere; "": none. For decisions in which an
// error would do harm: another host's claim counts as alive until its end was seen.
std::string who_may_train(const std::filesystem::path& folder);

// "claimed by PROCESS: if it has ended, remove FILE", for a refusal; empty if no process may train.
std::string claim_in_the_way(const std::filesystem::path& folder);

}  // namespace runner
