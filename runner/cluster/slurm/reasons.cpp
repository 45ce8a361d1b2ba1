#include "runner/cluster/slurm/reasons.h"

#include <algorithm>
#include <array>
#include <optional>

namespace runner {
namespace {

struct ReasonRow {
  std::string_view name, words;
  bool hopeless = false;
};

constexpr std::array kReasons = {
    ReasonRow{"None", "Slurm has not considered it yet"},
    ReasonRow{"Resources", "it is next to start, once a node is free"},
    ReasonRow{"Priority", "jobs with a higher priority come first"},
    ReasonRow{"JobArrayTaskLimit",
              "as many array tasks of the sweep are running as the profile's 'elements' allows"},
    ReasonRow{"BeginTime", "its start time is in the future: Slurm waits after a requeue"},
    ReasonRow{"Dependency", "it waits for another job"},
    ReasonRow{"DependencyNeverSatisfied", "a job that it depends on has failed: cancel it", true},
    ReasonRow{"JobHeldUser", "it is held: release it with `scontrol release`", true},
    ReasonRow{"JobHeldAdmin", "an administrator holds it: ask them why", true},
    ReasonRow{"JobHoldMaxRequeue",
              "it was requeued too often (MaxBatchRequeue) and is held: release it with `scontrol "
              "release`",
              true},
    ReasonRow{"launch failed requeued held",
              "it could not be launched and is held: release it with `scontrol release`", true},
    ReasonRow{"job requeued in held state",
              "it was requeued and is held: release it with `scontrol release`", true},
    ReasonRow{"PartitionDown", "its partition accepts jobs but starts none at present"},
    ReasonRow{"PartitionInactive", "its partition is out of use", true},
    ReasonRow{"PartitionNodeLimit", "it requests more than a node of its partition has", true},
    ReasonRow{"PartitionConfig", "its partition does not have what it requests", true},
    ReasonRow{"PartitionTimeLimit",
              "the profile's time is longer than the partition allows: lower 'time' or choose "
              "another partition (`sinfo` lists them)",
              true},
    ReasonRow{"BadConstraints", "no node of the cluster has what the profile requests", true},
    ReasonRow{"AccountNotAllowed", "the account may not use this partition", true},
    ReasonRow{"QOSNotAllowed", "this QOS may not be used in this partition", true},
    ReasonRow{"InvalidAccount", "the account is not valid: see `sacctmgr show assoc user=$USER`",
              true},
    ReasonRow{"InvalidQOS", "the QOS is not valid: see `sacctmgr show assoc user=$USER`", true},
    ReasonRow{"NodeDown", "a node that it needs is down"},
    ReasonRow{"ReqNodeNotAvail", "the nodes that it needs are down, drained or reserved"},
    ReasonRow{"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved_for_jobs_in_higher_priority_"
              "partitions",
              "the nodes that it needs are down, drained or reserved"},
    ReasonRow{"Reservation", "its reservation has not started"},
    ReasonRow{"ReservationDeleted", "its reservation was deleted", true},
    ReasonRow{"Licenses", "it waits for a licence"},
    ReasonRow{"Prolog", "its node is being prepared"},
    ReasonRow{"Cleaning", "it was requeued and its last process is being cleaned up"},
    ReasonRow{"FrontEndDown", "the front end is down"},
    ReasonRow{"SystemFailure", "Slurm reports a failure, for example of its file system"},
    ReasonRow{"BurstBufferResources", "it waits for space in the burst buffer"},
    ReasonRow{"MaxPowerSched", "the cluster's power limit is reached"},
    ReasonRow{"NodesNotAvail", "no node of its partition can be used at present"},
};

// Parts of the names of limits, such as "AssocGrpGRES", "QOSMaxJobsPerUserLimit", "MaxMemPerLimit":
// who sets the limit, on what, for whom.
struct LimitPart {
  std::string_view part, words;
};
constexpr std::array kOwners = {LimitPart{"Assoc", "the account"}, LimitPart{"QOS", "the QOS"},
                                LimitPart{"Partition", "the partition"}};
constexpr std::array kScopes = {
    LimitPart{"PerUser", " of a user"}, LimitPart{"PerAccount", " of an account"},
    LimitPart{"PerJob", " of a job"}, LimitPart{"PerNode", " of a node"}};

struct LimitedRow {
  std::string_view part, words;
  std::string_view tres = "";                       // its name in limits; "" if it has none
  std::string_view minutes = "", run_minutes = "";  // of "CPUMinutes", "CPURunMinutes"
};
constexpr std::array kLimited = {
    LimitedRow{"SubmitJobs", "jobs in the queue"},
    LimitedRow{"Wall", "time"},
    LimitedRow{"Jobs", "running jobs"},
    LimitedRow{"GRES", "GPUs", "gres/gpu", "GPU minutes", "minutes of running GPUs"},
    LimitedRow{"Cpu", "CPUs", "cpu", "CPU minutes", "minutes of running CPUs"},
    LimitedRow{"CPU", "CPUs", "cpu", "CPU minutes", "minutes of running CPUs"},
    LimitedRow{"Mem", "memory", "mem", "memory minutes", "minutes of used memory"},
    LimitedRow{"Node", "nodes", "node", "node minutes", "minutes of running nodes"},
    LimitedRow{"Billing", "billing", "", "billed minutes", "billed minutes of running jobs"},
    LimitedRow{"License", "licences"},
    LimitedRow{"BB", "burst buffers"}};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

template <class Rows>
const auto* part_in(const Rows& rows, std::string_view text) {
  const auto found =
      std::ranges::find_if(rows, [&](const auto& row) { return has(text, row.part); });
  return found == rows.end() ? nullptr : &*found;
}

std::string limited_words(const LimitedRow& row, std::string_view reason) {
  if (row.minutes.empty() || !has(reason, "Minutes")) return std::string(row.words);
  return std::string(has(reason, "RunMinutes") ? row.run_minutes : row.minutes);
}

std::optional<WaitReason> limit_reason(std::string_view reason, const std::string& limit) {
  const bool of_group = has(reason, "Grp"), most = has(reason, "Max"),
             least = !of_group && !most && has(reason, "Min");
  if (!of_group && !most && !least) return std::nullopt;
  const LimitPart* owner = nullptr;
  for (const LimitPart& each : kOwners)
    if (reason.starts_with(each.part)) owner = &each;
  const LimitedRow* row = part_in(kLimited, reason.substr(owner ? owner->part.size() : 0));
  if (row == nullptr) return std::nullopt;
  const LimitPart* scope = part_in(kScopes, reason);
  const std::string whose = owner ? std::string(owner->words) : "the cluster";
  const std::string what =
      !limit.empty() ? limit : limited_words(*row, reason) + std::string(scope ? scope->words : "");
  const bool of_job = scope != nullptr && scope->part == "PerJob" && !of_group;
  if (least) return WaitReason{"it requests less than " + whose + " requires: " + what, true};
  if (of_job || has(reason, "WallDuration"))
    return WaitReason{
        "it requests more than " + whose + "'s limit of " + what + ": lower it in the profile",
        true};
  return WaitReason{whose + "'s limit of " + what + " is reached", false};
}

std::optional<WaitReason> known_reason(std::string_view reason) {
  for (const ReasonRow& row : kReasons)
    if (reason == row.name) return WaitReason{std::string(row.words), row.hopeless};
  return std::nullopt;
}

}  // namespace

WaitReason wait_reason(std::string_view reason, const std::string& limit) {
  if (reason.starts_with('(') && reason.ends_with(')'))
    reason = reason.substr(1, reason.size() - 2);
  if (reason.empty() || reason == "null" || reason == "N/A") reason = "None";
  constexpr std::string_view kNotAvailable = "ReqNodeNotAvail, ";  // and a list of nodes
  if (reason.starts_with(kNotAvailable))
    return {"nodes that it needs are not available: " +
                std::string(reason.substr(kNotAvailable.size())),
            false};
  if (auto known = known_reason(reason)) return *known;
  reason = reason.substr(0, reason.find(','));  // of several, the first decides
  if (auto known = known_reason(reason)) return *known;
  if (auto limited = limit_reason(reason, limit)) return *limited;
  return {"Slurm gives the reason '" + std::string(reason) + "'", false};
}

std::string_view limited_resource(std::string_view reason) {
  if ((!has(reason, "Grp") && !has(reason, "Max")) || has(reason, "Minutes")) return "";
  for (const LimitedRow& row : kLimited)
    if (!row.tres.empty() && has(reason, row.part)) return row.tres;
  return "";
}

}  // namespace runner
