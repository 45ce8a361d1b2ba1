#include "runner/training/checkpoint.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "lcsm/tensors/safetensors.h"
#include "results/events/checkpoints.h"
#include "runner/files/content_hash.h"
#include "runner/files/mapped_file.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kSchema = "lcsm.checkpoint/1";
constexpr const char* kModel = "model.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kState = "state.json";      // equal in every run of this configuration
constexpr const char* kWritten = "written.json";  // when and where it was written
constexpr std::size_t kLargestJson = 1 << 20;

std::string hash_of(const fs::path& file) { return file_sha256(file.string()); }

void write_tensors(const fs::path& file, const NamedTensors& tensors) {
  lcsm::write_safetensors(file.string(), {tensors, {{"format", "pt"}}});
}

ordered_json read_json(const fs::path& file) {
  const MappedFile mapped(file.string());
  if (mapped.bytes().size() > kLargestJson)
    throw std::runtime_error(file.string() + " is too large for a checkpoint's file");
  return ordered_json::parse(mapped.bytes());
}

// Renames it first, so that an interrupted removal leaves no incomplete checkpoint.
void remove_checkpoint(const fs::path& folder, const fs::path& checkpoint) {
  const fs::path aside = folder / (".old-" + checkpoint.filename().string());
  fs::remove_all(aside);
  fs::rename(checkpoint, aside);
  fs::remove_all(aside);
}

}  // namespace

Checkpoints::Checkpoints(const fs::path& run_folder)
    : folder_(run_folder / results::kCheckpointsFolder) {
  fs::create_directories(folder_);
  for (const auto& entry : fs::directory_iterator(folder_))
    if (lcsm::is_leftover(entry.path())) fs::remove_all(entry.path());
}

std::int64_t Checkpoints::write(const Checkpoint& checkpoint) {
  const std::string name = std::to_string(checkpoint.state.step);
  const fs::path unfinished = folder_ / (".new-" + name), finished = folder_ / name;
  fs::remove_all(unfinished);
  fs::create_directory(unfinished);
  write_tensors(unfinished / kModel, checkpoint.model);
  write_tensors(unfinished / kOptimizer, checkpoint.optimizer);
  const ordered_json state = {
      {"schema", kSchema},
      {"state", ordered_json::parse(json_text(checkpoint.state))},
      {"sha256",
       {{kModel, hash_of(unfinished / kModel)}, {kOptimizer, hash_of(unfinished / kOptimizer)}}}};
  lcsm::write_whole(unfinished / kState, state.dump(2) + "\n");
  const ordered_json written = {{"lines", checkpoint.lines}, {"seconds", checkpoint.seconds}};
  lcsm::write_whole(unfinished / kWritten, written.dump() + "\n");
  if (fs::exists(finished)) remove_checkpoint(folder_, finished);
  fs::rename(unfinished, finished);
  lcsm::sync_folder(folder_);
  std::int64_t bytes = 0;
  for (const char* file : {kModel, kOptimizer, kState, kWritten})
    bytes += static_cast<std::int64_t>(fs::file_size(finished / file));
  return bytes;
}

Checkpoint Checkpoints::read(std::int64_t step) const {
  const fs::path folder = folder_ / std::to_string(step);
  try {
    const ordered_json state = read_json(folder / kState), written = read_json(folder / kWritten);
    if (state.at("schema") != kSchema)
      throw std::runtime_error("expected " + std::string(kSchema) + ", got " +
                               state.at("schema").dump());
    Checkpoint checkpoint;
    checkpoint.state = train_state(state.at("state").dump());
    if (checkpoint.state.step != step)
      throw std::runtime_error("expected step " + std::to_string(step) + ", got " +
                               std::to_string(checkpoint.state.step));
    for (const char* file : {kModel, kOptimizer})
      if (hash_of(folder / file) != state.at("sha256").at(file).get<std::string>())
        throw std::runtime_error(std::string(file) + " differs from what was written");
    checkpoint.model = lcsm::read_safetensors((folder / kModel).string()).tensors;
    checkpoint.optimizer = lcsm::read_safetensors((folder / kOptimizer).string()).tensors;
    checkpoint.lines = written.at("lines").get<std::int64_t>();
    checkpoint.seconds = written.at("seconds").get<double>();
    return checkpoint;
  } catch (const std::exception& error) {
    throw std::runtime_error("checkpoint " + folder.string() + ": " + error.what());
  }
}

std::optional<Checkpoint> Checkpoints::newest(const Complain& complain) const {
  const std::set<std::int64_t> all = steps();
  for (auto step = all.rbegin(); step != all.rend(); ++step) {
    try {
      return read(*step);
    } catch (const std::runtime_error& error) {
      complain(std::string(error.what()) + "; trying the one before");
    }
  }
  return std::nullopt;
}

std::set<std::int64_t> Checkpoints::steps() const {
  std::set<std::int64_t> steps;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (const auto step = results::checkpoint_step(entry.path())) steps.insert(*step);
  return steps;
}

void Checkpoints::keep_only(const std::set<std::int64_t>& wanted) {
  for (const std::int64_t step : steps())
    if (!wanted.contains(step)) remove_checkpoint(folder_, folder_ / std::to_string(step));
}

}  // namespace runner
