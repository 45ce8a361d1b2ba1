// The right to train a run, claimed through the file system that all hosts share: the files
// `claims/N` of the run's folder. Numbers only grow, and the largest owns the run: a process takes
// it over from one that died, or may have died, by making the next number.
//
// A process that was thought dead may go on. It ends as soon as it looks (claim_hold.h), and until
// then writes only files that nobody else reads: events to its own segment
// (results/events/event_file.h), checkpoints beside that.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "results/events/run_state.h"

namespace runner {

// The process that started the training, and ends with it.
struct ClaimOwner {
  std::string node, machine, boot;        // its host: name, machine id, boot id
  std::int64_t process = 0, started = 0;  // process_facts.h
  std::string by, since;                  // "ada@abacus", "2026-01-31T12:00:00Z"
  std::string job;                        // "12_3", of a batch system; empty without
  bool operator==(const ClaimOwner&) const = default;

  std::string text() const;  // "process 123 of ada@abacus since 2026-01-31T12:00:00Z"
};

struct Claim {
  std::int64_t number = 0;
  std::int64_t segment = 0;     // the segment that the training writes
  std::int64_t step = 0;        // the newest checkpoint's when the claim was made
  std::string submission = {};  // of the array task that made it; empty: `lcsm run` or lcsm-train
  double beat = 10;             // seconds between signs of life
  double silence = 120;         // without one, as another host sees it, until it counts as dead
  ClaimOwner owner = {};
  bool operator==(const Claim&) const = default;
};

// A batch system names its nodes itself; several may be on one host.
ClaimOwner this_owner();

// True if both are of one host, where processes can be looked up.
bool same_host(const ClaimOwner& a, const ClaimOwner& b);

// 0: none.
std::int64_t newest_claim(const std::filesystem::path& folder);

// nullopt if there is no claim of this number, or none that can be read.
std::optional<Claim> read_claim(const std::filesystem::path& folder, std::int64_t number);

// The next claim as `wish`, which lacks number, segment and step, for who has judged that claim
// `after`, 0 for none, is free. With `own_segment` it writes another file than all before it; else
// only where one of those before may still write. None: another process was faster, and its claim
// has to be judged. Throws std::system_error.
std::optional<Claim> make_claim(const std::filesystem::path& folder, const Claim& wish,
                                bool own_segment, std::int64_t after);

// Records the end of training, as seen by the process that made the claim.
void end_claim(const std::filesystem::path& folder, std::int64_t number, results::RunState end);
std::optional<results::RunState> claim_end(const std::filesystem::path& folder,
                                           std::int64_t number);

// Gives a sign of life: touches the file. Its time is only good for comparison with an earlier one,
// since the clocks of hosts differ. Returns 0 if there is no such claim.
void give_sign(const std::filesystem::path& folder, std::int64_t number);
std::int64_t last_sign(const std::filesystem::path& folder, std::int64_t number);

// The number of last attempts in a row that found the present checkpoint, all by array tasks of
// this submission: they gained nothing.
std::int64_t fruitless_claims(const std::filesystem::path& folder, const std::string& submission);

}  // namespace runner
