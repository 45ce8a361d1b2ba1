#include "runner/train/trainer/checkpoint.h"

#include <nlohmann/json.hpp>

#include "lcsm/files/whole_file.h"
#include "lcsm/tensors/safetensors.h"
#include "results/events/checkpoints.h"
#include "runner/base/files/content_hash.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/files/sha256.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kSchema = "lcsm.checkpoint/1";
constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kOptimizerFile = "optimizer.safetensors";
constexpr const char* kStateFile = "state.json";  // equal in every run of this configuration
constexpr const char* kWritten = "written.json";  // when and where it was written
constexpr std::size_t kLargestJson = 1 << 20;

std::string hash_of(const fs::path& file) { return file_sha256(file.string()); }

[[noreturn]] void refuse_schema(const std::string& schema) {
  const std::string what = "expected " + std::string(kSchema) + ", got " + schema;
  constexpr std::string_view kFamily = "lcsm.checkpoint/";
  const bool newer = schema.starts_with(kFamily) && schema.size() > kFamily.size() &&
                     schema.find_first_not_of("0123456789", kFamily.size()) == std::string::npos;
  if (newer) throw NewerCheckpoint(what + ": resume with the newer lcsm-train that wrote it");
  throw std::runtime_error(what);
}

void write_tensors(const fs::path& file, const NamedTensors& tensors) {
  lcsm::write_safetensors(file.string(), {tensors, {{"format", "pt"}}});
}

ordered_json read_json(const fs::path& file) {
  const MappedFile mapped(file.string());
  if (mapped.bytes().size() > kLargestJson)
    throw std::runtime_error(file.string() + " is too large for a checkpoint's file");
  return ordered_json::parse(mapped.bytes());
}

// Formats {"lines":7,"seconds":1.5,"sha256":{"state.json":"...","rest":"..."}}: the hash of
// state.json, and the hash of this text up to the comma before "sha256".
std::string written_text(const Checkpoint& checkpoint, const std::string& state_hash) {
  const ordered_json start = {{"lines", checkpoint.lines}, {"seconds", checkpoint.seconds}};
  std::string text = start.dump();
  text.pop_back();
  const ordered_json hashes = {{kStateFile, state_hash}, {"rest", sha256_hex(text)}};
  return text + ",\"sha256\":" + hashes.dump() + "}\n";
}

// Refuses a text without hashes, too: a wrong count of lines would drop history when resuming.
void read_written(const fs::path& folder, Checkpoint* checkpoint) {
  const ordered_json written = read_json(folder / kWritten);
  checkpoint->lines = written.at("lines").get<std::int64_t>();
  checkpoint->seconds = written.at("seconds").get<double>();
  const MappedFile file((folder / kWritten).string());
  if (file.bytes() != written_text(*checkpoint, hash_of(folder / kStateFile)))
    throw std::runtime_error(std::string(kWritten) + " or " + kStateFile +
                             " differs from what was written");
}

// True if a file is missing or unreadable on the disk. Any other error may be temporary (too many
// open files, no permission), and falling back to an older checkpoint would discard history.
bool is_damage(const std::error_code& code) {
  for (const auto error :
       {std::errc::no_such_file_or_directory, std::errc::not_a_directory, std::errc::is_a_directory,
        std::errc::io_error, std::errc::too_many_symbolic_link_levels})
    if (code == error) return true;
  return false;
}

// Removes a checkpoint of another segment, whose process may still write to or remove it. Leftovers
// do no harm.
void remove_of_another(const fs::path& folder, const fs::path& checkpoint) {
  std::error_code kept;
  const fs::path aside = folder / (".old-" + checkpoint.filename().string());
  fs::remove_all(aside, kept);
  fs::rename(checkpoint, aside, kept);
  fs::remove_all(aside, kept);
}

// Renames it first, so that an interrupted removal leaves no incomplete checkpoint.
void remove_checkpoint(const fs::path& folder, const fs::path& checkpoint) {
  const fs::path aside = folder / (".old-" + checkpoint.filename().string());
  fs::remove_all(aside);
  fs::rename(checkpoint, aside);
  fs::remove_all(aside);
}

// The segment in ".new-60.3", an unfinished checkpoint, or ".old-60.3", one that was being removed.
std::int64_t segment_of_leftover(const fs::path& path) {
  const std::string name = path.filename();
  const auto place = results::checkpoint_place(name.substr(name.find('-') + 1));
  return place ? place->segment : 0;
}

}  // namespace

const at::Tensor& tensor_in(const NamedTensors& tensors, const std::string& name,
                            const at::Tensor& like) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw std::invalid_argument("expected '" + name + "', got none");
  if (found->second.sizes() != like.sizes() || found->second.scalar_type() != like.scalar_type())
    throw std::invalid_argument("'" + name + "' has another shape or dtype");
  return found->second;
}

Checkpoints::Checkpoints(const fs::path& run_folder, std::int64_t segment)
    : folder_(run_folder / results::kCheckpointsFolder), segment_(segment) {
  lcsm::refuse_links(folder_);
  fs::create_directory(folder_);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    std::error_code kept;
    if (!lcsm::is_leftover(entry.path())) continue;
    const std::int64_t other = segment_of_leftover(entry.path());
    if (other == segment_) fs::remove_all(entry.path());
    if (other < segment_) fs::remove_all(entry.path(), kept);
  }
}

std::int64_t Checkpoints::write(const Checkpoint& checkpoint) {
  const std::string name = results::CheckpointPlace{checkpoint.state.step, segment_}.text();
  const fs::path unfinished = folder_ / (".new-" + name), finished = folder_ / name;
  fs::remove_all(unfinished);
  fs::create_directory(unfinished);
  write_tensors(unfinished / kModelFile, checkpoint.model);
  write_tensors(unfinished / kOptimizerFile, checkpoint.optimizer);
  const ordered_json state = {{"schema", kSchema},
                              {"state", ordered_json::parse(json_text(checkpoint.state))},
                              {"sha256",
                               {{kModelFile, hash_of(unfinished / kModelFile)},
                                {kOptimizerFile, hash_of(unfinished / kOptimizerFile)}}}};
  write_json_file(unfinished / kStateFile, state);
  lcsm::write_whole(unfinished / kWritten,
                    written_text(checkpoint, hash_of(unfinished / kStateFile)));
  if (fs::exists(finished)) remove_checkpoint(folder_, finished);
  fs::rename(unfinished, finished);
  lcsm::sync_folder(folder_);
  std::int64_t bytes = 0;
  for (const char* file : {kModelFile, kOptimizerFile, kStateFile, kWritten})
    bytes += static_cast<std::int64_t>(fs::file_size(finished / file));
  return bytes;
}

Checkpoint Checkpoints::read(std::int64_t step) const {
  std::int64_t last = 0;
  try {
    for (const results::CheckpointPlace& place : places())
      if (place.step == step) last = place.segment;
  } catch (const std::system_error& error) {
    throw UnreadableCheckpoint(error.what());
  }
  return read_at({step, last});
}

Checkpoint Checkpoints::read_at(const results::CheckpointPlace& place) const {
  const std::int64_t step = place.step;
  const fs::path folder = folder_ / place.text();
  try {
    const ordered_json state = read_json(folder / kStateFile);
    if (const std::string schema = state.at("schema"); schema != kSchema) refuse_schema(schema);
    Checkpoint checkpoint;
    checkpoint.segment = place.segment;
    checkpoint.state = train_state(state.at("state").dump());
    if (checkpoint.state.step != step)
      throw std::runtime_error("expected step " + std::to_string(step) + ", got " +
                               std::to_string(checkpoint.state.step));
    for (const char* file : {kModelFile, kOptimizerFile})
      if (hash_of(folder / file) != state.at("sha256").at(file).get<std::string>())
        throw std::runtime_error(std::string(file) + " differs from what was written");
    checkpoint.model = lcsm::read_safetensors((folder / kModelFile).string()).tensors;
    checkpoint.optimizer = lcsm::read_safetensors((folder / kOptimizerFile).string()).tensors;
    read_written(folder, &checkpoint);
    return checkpoint;
  } catch (const NewerCheckpoint& error) {
    throw NewerCheckpoint("checkpoint " + folder.string() + ": " + error.what());
  } catch (const std::system_error& error) {
    const std::string what = "checkpoint " + folder.string() + ": " + error.what();
    if (is_damage(error.code())) throw std::runtime_error(what);
    throw UnreadableCheckpoint(what + "; it stays: run again, or remove it to go on without");
  } catch (const std::exception& error) {
    throw std::runtime_error("checkpoint " + folder.string() + ": " + error.what());
  }
}

std::optional<Checkpoint> Checkpoints::newest(const Complain& complain,
                                              const WhyNot& why_not) const {
  const std::set<results::CheckpointPlace> all = places();
  for (auto place = all.rbegin(); place != all.rend(); ++place) {
    try {
      Checkpoint checkpoint = read_at(*place);
      if (const auto& best = checkpoint.state.best; best && best->step != place->step)
        read(best->step);  // the end of training needs it
      const std::string why = why_not(checkpoint);
      if (why.empty()) return checkpoint;
      complain("checkpoint " + (folder_ / place->text()).string() + " " + why +
               "; trying the one before");
    } catch (const NewerCheckpoint&) {
      throw;
    } catch (const UnreadableCheckpoint&) {
      throw;
    } catch (const std::runtime_error& error) {
      complain(std::string(error.what()) + "; trying the one before");
    }
  }
  return std::nullopt;
}

std::set<results::CheckpointPlace> Checkpoints::places() const {
  std::set<results::CheckpointPlace> places;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (const auto place = results::checkpoint_place(entry.path());
        place && place->segment <= segment_)
      places.insert(*place);
  return places;
}

std::set<std::int64_t> Checkpoints::steps() const {
  std::set<std::int64_t> steps;
  for (const results::CheckpointPlace& place : places()) steps.insert(place.step);
  return steps;
}

void Checkpoints::keep_only(const std::set<std::int64_t>& wanted) {
  const std::set<results::CheckpointPlace> all = places();
  for (const results::CheckpointPlace& place : all) {
    const bool own = place.segment == segment_;
    const bool twice = !own && all.contains({place.step, segment_});
    if (!twice && wanted.contains(place.step)) continue;
    (own ? remove_checkpoint : remove_of_another)(folder_, folder_ / place.text());
  }
}

}  // namespace runner
