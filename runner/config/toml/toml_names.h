// Forward declarations of toml++ types: toml++ 3 has no header for them. If another version with
// an inline namespace other than v3 is included too, these names become ambiguous, which is a
// compile error.
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
