// All keys of a run's configuration, and messages about them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runner/config/keys/key_rows.h"

namespace runner {

// Sorted by group.
extern const std::span<const ConfigKey> kConfigKeys;

int key_index(std::string_view name);  // -1 = unknown key

inline const ConfigKey& key_row(int key) { return kConfigKeys[static_cast<std::size_t>(key)]; }
inline std::string key_name(int key) { return std::string(key_row(key).name); }
inline std::string key_name(AnyKey key) { return key_name(index_of(key)); }

// The key whose choice decides whether `key` applies; "" = it always applies.
std::string_view decided_by(const ConfigKey& key);

// True if `key` applies with this choice of decided_by(key).
bool applies_with(const ConfigKey& key, std::string_view choice);

// The key that an unknown name probably means; knows other tools' names; "" if none is near.
std::string_view nearest_key(std::string_view name);

// "; did you mean 'optim.lr'?", also with a key of another table; else the list of known keys.
std::string meant_key(std::string_view name);

// Describes what the key accepts: "a whole number of steps from 0 to 1099511627776", "one of A, B".
std::string wanted(const ConfigKey& key);

}  // namespace runner
