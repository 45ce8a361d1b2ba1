// The rooms of the source tree, lowest first. The order decides what a source may include.
#pragma once

#include <string>
#include <vector>

namespace house {

using Names = std::vector<std::string>;

struct Room {
  const char* path;
  Names targets;   // targets that compile its sources
  Names packages;  // third-party ones that its sources may include
};

const std::vector<Room>& rooms();

// The index of the room of a source or header, -1 when it is in none.
int room_of(const std::string& path);

// The package of a third-party header; "" for a system header.
std::string package_of(const std::string& header);

}  // namespace house
