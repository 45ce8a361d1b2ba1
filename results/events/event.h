// The lines of an event file, one struct per kind. The format is in results/README.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "results/events/run_state.h"

namespace results {

// A list, as its JSON text: "[64,128]".
struct List {
  std::string json;
  bool operator==(const List&) const = default;
};

// The value of a parameter, or of a fact about the environment.
using Value = std::variant<bool, std::int64_t, double, std::string, List>;
using Values = std::map<std::string, Value>;  // by dotted key: "model.code"

// ----- The lines -----

// The first line of every file.
struct RunLine {
  std::string run;       // 32 hex digits
  std::string identity;  // the canonical text that `run` is the hash of; may be empty
  Values parameters;     // the resolved configuration
  bool operator==(const RunLine&) const = default;
};

struct AttemptLine {
  std::int64_t from_step = 0;  // of the checkpoint it resumes from; 0: from the start
  std::int64_t from_seq = 0;  // the last line before that checkpoint; metrics that earlier attempts
                              // wrote after it no longer count
  Values environment;
  bool operator==(const AttemptLine&) const = default;
};

struct MetricsLine {
  std::int64_t step = 0;
  std::vector<std::pair<std::string, double>> values;  // "valid.ppl"; may be NaN or infinite
  bool operator==(const MetricsLine&) const = default;
};

struct ArtefactLine {
  std::string kind;  // "checkpoint", "best", "samples"
  std::string path;  // relative to the run folder
  std::int64_t step = 0;
  std::int64_t bytes = 0;
  std::string sha256;  // may be empty
  bool operator==(const ArtefactLine&) const = default;
};

struct MessageLine {
  std::string level;  // "info", "warning", "error"
  std::string text;
  bool operator==(const MessageLine&) const = default;
};

// How an attempt ended. An attempt without this line is running, or was killed.
struct EndLine {
  RunState state = RunState::kDone;  // needs a stored name; reads back as the first state with it
  std::int64_t step = 0;             // steps done
  std::string message;
  bool operator==(const EndLine&) const = default;
};

using Line = std::variant<RunLine, AttemptLine, MetricsLine, ArtefactLine, MessageLine, EndLine>;

struct Event {
  std::int64_t sequence = 0;  // 1, 2, 3 ...: the line number in its file
  std::int64_t attempt = 0;   // 0 for the run line, then 1, 2 ...
  double time = 0;            // seconds since 1970, by the writer's clock
  Line line;
  bool operator==(const Event&) const = default;
};

}  // namespace results
