// Forward declarations of toml++ types: toml++ 3 has no header for them. If a version with another
// inline namespace than v3 is included, too, the names become ambiguous and do not compile.
#pragma once

namespace toml {
inline namespace v3 {

class array;
class key;
class node;
class table;
struct source_region;

}  // namespace v3
}  // namespace toml
