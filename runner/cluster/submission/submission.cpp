#include "runner/cluster/submission/submission.h"

#include <fcntl.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/json_text.h"
#include "lcsm/files/open_file.h"
#include "lcsm/files/read_file.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/files/json_file.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSubmissionSchema = "lcsm.submission/1";
constexpr const char* kHead = "submission.json";
constexpr const char* kRuns = "runs.jsonl";
constexpr const char* kConfigs = "configs";

struct SecondsKey {
  const char* name;
  double ElementRules::*field;
};
constexpr std::array kSeconds = {
    SecondsKey{"warning", &ElementRules::warning}, SecondsKey{"timeout", &ElementRules::timeout},
    SecondsKey{"grace", &ElementRules::grace},     SecondsKey{"stall", &ElementRules::stall},
    SecondsKey{"beat", &ElementRules::beat},       SecondsKey{"silence", &ElementRules::silence}};

struct CountKey {
  const char* name;
  std::int64_t ElementRules::*field;
};
constexpr std::array kCounts = {
    CountKey{"runs_per_gpu", &ElementRules::runs_per_gpu}, CountKey{"jobs", &ElementRules::jobs},
    CountKey{"retries", &ElementRules::retries}, CountKey{"fruitless", &ElementRules::fruitless},
    CountKey{"node_fails", &ElementRules::node_fails}};

struct RuleText {
  const char* name;
  std::string results::SweepMark::*field;
};
constexpr std::array kMark = {
    RuleText{"sweep", &results::SweepMark::sweep}, RuleText{"title", &results::SweepMark::title},
    RuleText{"paper", &results::SweepMark::paper}, RuleText{"scale", &results::SweepMark::scale},
    RuleText{"settings", &results::SweepMark::settings}};

Json json_of(const Submission& submission) {
  Json json = {
      {"schema", kSubmissionSchema}, {"token", submission.token}, {"program", submission.program}};
  for (const RuleText& key : kMark) json["mark"][key.name] = submission.mark.*key.field;
  for (const SecondsKey& key : kSeconds) json["rules"][key.name] = submission.rules.*key.field;
  for (const CountKey& key : kCounts) json["rules"][key.name] = submission.rules.*key.field;
  json["runs"] = submission.runs.size();
  return json;
}

Json json_of(const SubmittedRun& run) {
  return {{"id", run.id},           {"name", run.name},
          {"seconds", run.seconds}, {"memory_bytes", run.memory_bytes},
          {"threads", run.threads}, {"disk_bytes", run.disk_bytes}};
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category(), path.string());
}

// Syncs the file system with one call instead of thousands of files one by one.
void sync_all(const fs::path& folder) {
  const lcsm::OpenFile handle(folder, O_RDONLY | O_DIRECTORY);
  if (!handle.is_open() || syncfs(handle.handle()) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string());
}

// A JSON text of the submission; every complaint names its file and line.
class Source {
 public:
  Source(const fs::path& file, std::size_t line, const std::string& text)
      : place_(file.string() + ":" + std::to_string(line)),
        json_(lcsm::nests_too_deep(text) ? Json()
                                         : Json::parse(text, nullptr, /*allow_exceptions=*/false)) {
    if (!json_.is_object()) refuse("a JSON object", text.substr(0, kShown));
  }

  [[noreturn]] void refuse(const std::string& expected, const std::string& got) const {
    throw std::runtime_error(place_ + ": expected " + expected + ", got " +
                             (got.empty() ? "nothing" : got) + ": submit the sweep again");
  }

  std::string text(const char* key, const char* within = nullptr) const {
    const Json& value = at(key, within);
    if (!value.is_string()) refuse(std::string("text as '") + key + "'", shown(value));
    return value.get<std::string>();
  }
  double number(const char* key, const char* within = nullptr) const {
    const Json& value = at(key, within);
    if (!value.is_number() || !(value.get<double>() >= 0))
      refuse(std::string("a number of at least 0 as '") + key + "'", shown(value));
    return value.get<double>();
  }
  std::int64_t count(const char* key, const char* within = nullptr) const {
    const Json& value = at(key, within);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
      refuse(std::string("an integer of at least 0 as '") + key + "'", shown(value));
    return value.get<std::int64_t>();
  }

 private:
  static constexpr std::size_t kShown = 60;
  static constexpr std::uint64_t kMost = 1'000'000'000'000;

  static std::string shown(const Json& json) {
    return json.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, kShown);
  }
  const Json& at(const char* key, const char* within) const {
    const Json* object = &json_;
    if (within != nullptr) {
      const auto found = json_.find(within);
      if (found == json_.end() || !found->is_object())
        refuse(std::string("an object '") + within + "'",
               found == json_.end() ? "" : shown(*found));
      object = &*found;
    }
    const auto found = object->find(key);
    if (found == object->end()) refuse(std::string("'") + key + "'", "");
    return *found;
  }

  std::string place_;
  Json json_;
};

std::string read(const fs::path& file) {
  try {
    return lcsm::read_file(file);
  } catch (const std::system_error& error) {
    throw std::runtime_error(file.string() + ":1: cannot be read: " + error.code().message() +
                             ": submit the sweep again");
  }
}

std::size_t read_head(const fs::path& file, Submission* submission) {
  const Source source(file, 1, read(file));
  if (const std::string schema = source.text("schema"); schema != kSubmissionSchema)
    source.refuse(std::string("the schema ") + kSubmissionSchema, schema);
  submission->token = source.text("token");
  submission->program = source.text("program");
  for (const RuleText& key : kMark) submission->mark.*key.field = source.text(key.name, "mark");
  for (const SecondsKey& key : kSeconds)
    submission->rules.*key.field = source.number(key.name, "rules");
  for (const CountKey& key : kCounts)
    submission->rules.*key.field = source.count(key.name, "rules");
  if (submission->token != file.parent_path().filename())
    source.refuse("the folder's name as 'token'", submission->token);
  return static_cast<std::size_t>(source.count("runs"));
}

SubmittedRun read_run(const Source& source, const fs::path& folder) {
  SubmittedRun run{
      source.text("id"),          source.text("name"),           "",
      source.number("seconds"),   source.number("memory_bytes"), source.count("threads"),
      source.number("disk_bytes")};
  if (!results::is_run_id(run.id)) source.refuse("32 hex digits as 'id'", run.id);
  run.config = read(folder / kConfigs / (run.id + ".toml"));
  return run;
}

}  // namespace

void write_submission(const fs::path& workspace, const Submission& submission) {
  const fs::path folder = submission_folder(workspace, submission.token);
  if (!results::is_sweep_name(submission.token) || fs::exists(folder))
    throw std::invalid_argument("expected a new token of letters, digits, '.', '_' and '-', got '" +
                                submission.token + "'");
  const fs::path unfinished = folder.parent_path() / (".new-" + submission.token);
  lcsm::refuse_links(folder.parent_path());
  fs::remove_all(unfinished);
  fs::create_directories(unfinished / kConfigs);
  std::string lines;
  for (const SubmittedRun& run : submission.runs) {
    lines += printed_json(json_of(run), -1);
    write_file(unfinished / kConfigs / (run.id + ".toml"), run.config);
  }
  write_file(unfinished / kRuns, lines);
  write_file(unfinished / kHead, printed_json(json_of(submission)));
  sync_all(unfinished);
  fs::rename(unfinished, folder);
  lcsm::sync_folder(folder.parent_path());
}

Submission read_submission(const fs::path& given) {
  const fs::path folder = given.has_filename() ? given : given.parent_path();
  Submission submission;
  const std::size_t runs = read_head(folder / kHead, &submission);
  const std::string text = read(folder / kRuns);
  std::set<std::string> ids;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const Source source(folder / kRuns, ids.size() + 1, text.substr(at, end - at));
    submission.runs.push_back(read_run(source, folder));
    if (!ids.insert(submission.runs.back().id).second)
      source.refuse("each run once", submission.runs.back().id + " again");
    at = end + 1;
  }
  if (ids.size() != runs)
    throw std::runtime_error((folder / kRuns).string() + ":" + std::to_string(ids.size() + 1) +
                             ": expected " + std::to_string(runs) + " runs, as " + kHead +
                             " says, got " + std::to_string(ids.size()) +
                             ": submit the sweep again");
  return submission;
}

std::string started_from(const SubmittedRun& run) {
  const std::string id = toml::parse(run.config)["model"]["from"].value_or(std::string());
  return results::is_run_id(id) ? id : "";
}

std::vector<std::string> submitted_runs(const fs::path& workspace, const std::string& token) {
  const fs::path file = submission_folder(workspace, token) / kRuns;
  std::vector<std::string> ids;
  if (!fs::exists(fs::symlink_status(file))) return ids;
  std::istringstream lines(read(file));
  for (std::string line; std::getline(lines, line);) {
    const Json json = lcsm::nests_too_deep(line)
                          ? Json()
                          : Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("id") || !json["id"].is_string() ||
        !results::is_run_id(json["id"].get<std::string>()))
      throw std::runtime_error("expected a run in every line of " + file.string() +
                               ", got something else: move that submission's folder away");
    ids.push_back(json["id"]);
  }
  return ids;
}

std::string new_token(const std::string& sweep) {
  constexpr std::size_t kMostName = 80;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device random;
  std::string token = sweep.substr(0, kMostName) + "-";
  for (int i = 0; i < 8; ++i) token += kDigits[random() % kDigits.size()];
  return token;
}

}  // namespace runner
