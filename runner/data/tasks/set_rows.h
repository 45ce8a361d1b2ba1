// The data sets in our file format that tasks train on, and the facts known before they are read.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace runner {

struct SetRow {
  std::string_view name;        // of the data set, as `lcsm data` knows it, and of its task
  std::int64_t vocabulary = 0;  // of tokens or pixels; 1 where values are real
  std::array<std::int64_t, 3> examples{};  // by split
  std::int64_t scored = 1;                 // predictions of an example
  std::int64_t position = -1;    // the only position that is scored; -1: all, or their mean
  bool cut = false;              // examples longer than task.length are cut, not refused
  std::string_view had_by = "";  // the command that brings it
};

inline constexpr std::array kSetRows = {
    SetRow{"lra-listops", 15, {96000, 2000, 2000}, 1, -1, false, "lcsm data make lra-listops"},
    SetRow{
        "lra-text", 256, {25000, 25000, 25000}, 1, -1, true, "lcsm data get lra-text --from DIR"},
    SetRow{"lra-retrieval",
           256,
           {147086, 18090, 17437},
           1,
           -1,
           true,
           "lcsm data get lra-retrieval --from DIR"},
    SetRow{
        "lra-image", 256, {45000, 5000, 10000}, 1, -1, false, "lcsm data get lra-image --from DIR"},
    SetRow{"lra-pathfinder",
           256,
           {160000, 20000, 20000},
           1,
           -1,
           false,
           "lcsm data make lra-pathfinder"},
    SetRow{"lra-pathx", 256, {160000, 20000, 20000}, 1, -1, false, "lcsm data make lra-pathx"},
    SetRow{"classify", 256, {10000, 1000, 1000}, 1, -1, true, "lcsm data make classify"},
    SetRow{"classify-pictures",
           256,
           {10000, 1000, 1000},
           1,
           -1,
           false,
           "lcsm data make classify-pictures"},
    SetRow{"nss", 1, {100, 100, 100}, 100, -1, false, "lcsm data make nss"},
    SetRow{"etc", 1, {800, 100, 100}, 1000, -1, false, "lcsm data make etc"},
    SetRow{"pythagorean", 1, {160, 40, 40}, 1, 63, false, "lcsm data make pythagorean"},
};

}  // namespace runner
