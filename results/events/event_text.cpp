#include "results/events/event_text.h"

#include <nlohmann/json.hpp>

#include "results/events/value_json.h"
#include "results/files/checksum.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

// The fields of a line besides its number, attempt and time.
struct AddLine {
  Json* json;

  void add(const char* key, Json value) const { (*json)[key] = std::move(value); }

  void operator()(const RunLine& line) const {
    add("event", "run");
    add("format", kEventFormat);
    add("run", line.run);
    add("identity", line.identity);
    add("parameters", json_of(line.parameters));
  }
  void operator()(const AttemptLine& line) const {
    add("event", "attempt");
    add("from_step", line.from_step);
    add("from_seq", line.from_seq);
    add("environment", json_of(line.environment));
  }
  void operator()(const MetricsLine& line) const {
    add("event", "metrics");
    add("step", line.step);
    Json values = Json::object();
    for (const auto& [name, value] : line.values) values[name] = json_of(value);
    add("values", std::move(values));
  }
  void operator()(const ArtefactLine& line) const {
    add("event", "artefact");
    add("kind", line.kind);
    add("path", line.path);
    add("step", line.step);
    add("bytes", line.bytes);
    add("sha256", line.sha256);
  }
  void operator()(const MessageLine& line) const {
    add("event", "message");
    add("level", line.level);
    add("text", line.text);
  }
  void operator()(const EndLine& line) const {
    if (stored_name(line.state).empty())
      throw std::logic_error("no event file has the end '" + std::string(name_of(line.state)) +
                             "'");
    add("event", "end");
    add("status", stored_name(line.state));
    add("step", line.step);
    add("message", line.message);
  }
};

constexpr std::string_view kSealStart = ",\"crc\":\"", kSealEnd = "\"}";
constexpr std::size_t kSealSize = 8 + 8 + 2;

}  // namespace

std::string text_of(const Event& event) {
  Json json = {{"seq", event.sequence}, {"attempt", event.attempt}, {"time", json_of(event.time)}};
  std::visit(AddLine{&json}, event.line);
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();  // the brace; sealed() adds it again after the checksum
  return text;
}

std::string sealed(const std::string& text, std::uint32_t* crc) {
  *crc = crc32(text, *crc);
  return text + std::string(kSealStart) + crc_text(*crc) + std::string(kSealEnd) + "\n";
}

std::string_view opened(std::string_view line, std::uint32_t* crc) {
  const std::size_t size = line.size() < kSealSize ? 0 : line.size() - kSealSize;
  const std::string_view seal = line.substr(size);
  if (size == 0 || !seal.starts_with(kSealStart) || !seal.ends_with(kSealEnd))
    throw LineError("expected a line that ends in its checksum, got " +
                    std::to_string(line.size()) + " bytes without one");
  const std::string_view text = line.substr(0, size);
  const std::uint32_t wanted = crc32(text, *crc);
  const std::string_view got = seal.substr(kSealStart.size(), 8);
  if (got != crc_text(wanted))
    throw LineError("expected the checksum " + crc_text(wanted) + ", got " + std::string(got) +
                    ": this line, or one before it, was changed after it was written");
  *crc = wanted;
  return text;
}

}  // namespace results
