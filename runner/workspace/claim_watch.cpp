#include "runner/workspace/claim_watch.h"

#include <time.h>

#include <cmath>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

// True if the owner, a process of this host, is alive.
bool lives(const ClaimOwner& owner) {
  if (owner.boot != boot_id()) return false;
  const auto facts = facts_of_process(static_cast<pid_t>(owner.process));
  return facts && facts->state != 'Z' && facts->started == owner.started;
}

}  // namespace

ClaimLife ClaimWatch::look(const fs::path& folder, double now, std::int64_t* judged) {
  const std::int64_t number = *judged = newest_claim(folder);
  if (number == 0 || claim_end(folder, number)) return ClaimLife::kFree;
  const Claim claim = read_claim(folder, number).value_or(Claim{});
  if (same_host(claim.owner, self_)) {
    const bool own = claim.owner.process == self_.process && claim.owner.started == self_.started;
    return !own && lives(claim.owner) ? ClaimLife::kAlive : ClaimLife::kFree;
  }
  Seen& seen = seen_[folder.string()];
  const std::int64_t sign = last_sign(folder, number);
  if (seen.number != number) seen = {number, sign, now, false};
  if (seen.sign != sign) seen = {number, sign, now, true};
  if (now - seen.since >= claim.silence) return ClaimLife::kFree;
  return seen.moved ? ClaimLife::kAlive : ClaimLife::kUnsure;
}

std::string who_may_train(const fs::path& folder) {
  const std::int64_t number = newest_claim(folder);
  if (number == 0 || claim_end(folder, number)) return "";
  const Claim claim = read_claim(folder, number).value_or(Claim{});
  return same_host(claim.owner, this_owner()) && !lives(claim.owner) ? "" : claim.owner.text();
}

std::string claim_in_the_way(const fs::path& folder) {
  const std::string who = who_may_train(folder);
  if (who.empty()) return "";
  return "claimed by " + who + ": if it has ended, remove " +
         (folder / results::kClaimsFolder / std::to_string(newest_claim(folder))).string();
}

std::string who_trains_elsewhere(const fs::path& folder) {
  const std::int64_t number = newest_claim(folder);
  if (number == 0 || claim_end(folder, number)) return "";
  const Claim claim = read_claim(folder, number).value_or(Claim{});
  const double age =
      static_cast<double>(time(nullptr)) - static_cast<double>(last_sign(folder, number)) / 1e9;
  const bool alive = !same_host(claim.owner, this_owner()) && std::abs(age) < claim.silence;
  return alive ? claim.owner.text() : "";
}

}  // namespace runner
