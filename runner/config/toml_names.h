// The types of toml++ that headers mention without including it: toml++ 3 has no such header
// itself. Where toml.h is included too, another inline namespace than v3 makes these names
// ambiguous.
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
