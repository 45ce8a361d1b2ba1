// The named systems (the papers' models), one row each, and a system with its options.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/block/block.h"
#include "lcsm/code/code.h"

namespace runner {

// LCSM's reading of a system: its e, o and s, and what the reading leaves out.
struct SystemReading {
  std::string_view expand = "", oscillation = "", shrink = "";
  std::string_view left_out = "";
  std::string_view code = "";  // of this reading; "": no code expresses it
};

struct SystemRow {
  std::string_view name, help;
  const lcsm::BlockRow* block = nullptr;  // the mixer
  std::string_view preset = "";           // options of the mixer, "chunk=128 modes=16"
  const lcsm::BlockRow* feed = nullptr;   // the channel mixer that follows it; null: none
  std::string_view feed_preset = "";      // options of the feed-forward
  std::string_view norm = "layer";        // of mixer and feed-forward, a word of kNorms
  std::string_view norm_place = "pre";    // a row of kNormPlaces
  std::string_view embedding = "normal / sqrt(size_d)";  // initial values
  bool embedding_normed = false;                         // also norms the embedded inputs
  bool embedding_scaled = false;  // multiplies the embedded inputs by sqrt(d)
  bool drops = true;  // dropout of the mixer's output; false: only inside, as its authors place it
  bool tied = false;  // all steps share one dropout mask of channels
  // The number of corrections so far, of the layer and of what skeleton source adds to it. Each one
  // changes the ids of the system's runs, so that no earlier run is taken for a new one.
  int corrections = 0, source_corrections = 0;
  std::string_view equation = "";  // of the mixer
  std::string_view source = "";    // paper, and code
  SystemReading reading = {};
};

// rms, scale and simple: x / sqrt(mean of x^2 + eps) times a weight per channel, one weight, or no
// weight.
inline constexpr std::string_view kNorms = "layer batch rms scale simple none";

struct NormPlace {
  std::string_view name, help;
};

inline constexpr std::array kNormPlaces = {
    NormPlace{"pre", "before each part and after the last"},
    NormPlace{"pre-only", "before each part"},
    NormPlace{"post", "after the residual is added"},
};

std::span<const SystemRow> system_rows();

// ----- Its parts, each in a file: systems_state.cpp, systems_recurrent.cpp, systems_attention.cpp
// -----

std::span<const SystemRow> state_systems();
std::span<const SystemRow> recurrent_systems();
std::span<const SystemRow> attention_systems();

// Null if there is none of that name.
const SystemRow* system_named(std::string_view name);

// A system with its options, complete except for the width.
struct System {
  const SystemRow* row = nullptr;
  lcsm::Options mixer;
  std::optional<lcsm::Options> feed;
  std::string norm, norm_place;
  bool as_read = false;                 // @reading=lcsm: the layer of the reading's code
  std::vector<std::string> given = {};  // the options named in its text
};

// Parses "mega-chunk", "mega@attention=laplace,norm=batch,feed_hidden=160". Options of the mixer
// have their own names, options of the feed-forward the prefix "feed_"; also norm,
// norm_place, reading=lcsm. Throws std::invalid_argument with a suggestion.
System parse_system(std::string_view text);

// The canonical spelling: the name, then options that differ from the row's, in their order.
// Options that give a layer's place are written wherever they are set.
std::string to_string(const System& system);

// Like to_string, plus options in the system's text that equal the row's.
std::string as_given(const System& system);

// True if the mixer or the feed-forward has the option, by the names of parse_system.
bool has_option(const System& system, std::string_view name);

// True if the mixer sees later steps.
bool is_two_sided(const System& system);

// The position of a layer in the model; `length`: the longest sequence, 0 = not known.
struct LayerPlace {
  std::int64_t layer = 0, layers = 1, length = 0;
};

// The blocks at a width and a place, which gives the options layer, layers and length unless they
// are set. Throw std::invalid_argument if the options do not fit.
lcsm::Block mixer_of(const System& system, std::int64_t d, LayerPlace place = {});
std::optional<lcsm::Block> feed_of(const System& system, std::int64_t d, LayerPlace place = {});

// True if a text that may be a code names a system before '@'. A custom oscillation of that name
// takes precedence.
bool names_system(std::string_view text, const lcsm::Catalogue& catalogue);

// The systems whose names match a pattern, in the table's order.
std::vector<const SystemRow*> systems_matching(std::string_view pattern);

}  // namespace runner
