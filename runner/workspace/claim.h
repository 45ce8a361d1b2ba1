// The right to train a run, claimed through a shared file system by the files `claims/N` of the
// run's folder. Numbers only grow, and the largest owns the run. A process takes a run over from a
// process that died, or may have died, by creating the next number.
//
// A process that was taken for dead may still run. It ends at its next check (claim_hold.h). Until
// then it writes only files that no other process reads: events to its own segment
// (results/events/event_file.h), checkpoints beside the segment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "results/events/run_state.h"

namespace runner {

// The process that trains.
struct ClaimOwner {
  std::string node, machine, boot;        // its host: name, machine id, boot id
  std::int64_t process = 0, started = 0;  // process_facts.h; 0: any of a host that is not asked
  std::string by, since;                  // "ada@abacus", "2026-01-31T12:00:00Z"
  std::string job;                        // "12_3", the batch system's; empty: none
  bool operator==(const ClaimOwner&) const = default;

  std::string text() const;  // "process 123 of ada@abacus since 2026-01-31T12:00:00Z"
};

struct Claim {
  std::int64_t number = 0;
  std::int64_t segment = 0;     // the segment that the training writes
  std::int64_t step = 0;        // the newest checkpoint's when the claim was made
  std::string submission = {};  // of the array task that made it; empty: `lcsm run` or lcsm-train
  double beat = 10;             // seconds between signs of life
  double silence = 120;         // seconds without one until other hosts take it for dead
  ClaimOwner owner = {};
  bool operator==(const Claim&) const = default;
};

// A batch system names its nodes itself; several may be on one host.
ClaimOwner this_owner();

// True if both are on one host, where processes can be looked up.
bool same_host(const ClaimOwner& a, const ClaimOwner& b);

// 0: none.
std::int64_t newest_claim(const std::filesystem::path& folder);

// nullopt if no claim has this number, or it cannot be read.
std::optional<Claim> read_claim(const std::filesystem::path& folder, std::int64_t number);

// Makes the next claim for a caller who found claim `after` (0: none) free: `wish`, completed by
// number, segment and step. Writes a new segment with `own_segment`, or if an earlier process may
// still write. nullopt: another process was faster, and its claim has to be judged. Throws
// std::system_error.
std::optional<Claim> make_claim(const std::filesystem::path& folder, const Claim& wish,
                                bool own_segment, std::int64_t after);

// Records the end of training, as seen by the process that made the claim.
void end_claim(const std::filesystem::path& folder, std::int64_t number, results::RunState end);
std::optional<results::RunState> claim_end(const std::filesystem::path& folder,
                                           std::int64_t number);

// Touches the file as a sign of life. last_sign returns the file's time, 0 without the claim;
// compare it only with earlier ones, since the clocks of hosts differ.
void give_sign(const std::filesystem::path& folder, std::int64_t number);
std::int64_t last_sign(const std::filesystem::path& folder, std::int64_t number);

// The number of last attempts in a row, all by array tasks of this submission, that began at the
// present checkpoint and so gained nothing.
std::int64_t fruitless_claims(const std::filesystem::path& folder, const std::string& submission);

}  // namespace runner
