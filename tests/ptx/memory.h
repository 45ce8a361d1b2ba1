// The memory of a simulated device: allocations with bounds, and which bytes have been written.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tests/ptx/shadow.h"

namespace ptx {

// An address encodes its space and its region of device memory, even far out of bounds.
constexpr int kRegionShift = 36;
constexpr u64 kSharedWindow = 1ull << 60, kLocalWindow = 1ull << 61;
constexpr u8 kPoison = 0xff;  // four of them are a NaN, two of them one of 16 bits

struct Region {
  std::string name;
  std::vector<u8> data, written;
  bool writable = true, freed = false;
  Cells cells;  // made by the first launch that checks races
};

class Memory {
 public:
  Memory() : regions_(1) {}  // address 0 is in none

  u64 allocate(const std::string& name, u64 bytes);  // poisoned, writable
  void free(u64 address);                            // a later use is a finding
  void write(u64 address, const void* data, u64 bytes);
  void read(u64 address, void* data, u64 bytes) const;
  void fill(u64 address, u8 value, u64 bytes);
  void poison(u64 address);                     // marks the whole region as unwritten
  void protect(u64 address);                    // a write by a kernel is a finding from now on
  u64 unwritten(u64 address, u64 bytes) const;  // number of unwritten bytes

  Region* find(u64 address) {
    const u64 index = address >> kRegionShift;
    return index < regions_.size() ? regions_[index].get() : nullptr;
  }
  std::vector<std::unique_ptr<Region>>& regions() { return regions_; }

 private:
  Region& within(u64 address, u64 bytes, const char* who) const;

  std::vector<std::unique_ptr<Region>> regions_;
};

// An array of host values and its copy on the device.
template <class T>
class Array {
 public:
  Array(Memory& memory, const std::string& name, std::size_t count)
      : memory_(memory), count_(count), address_(memory.allocate(name, count * sizeof(T))) {}
  Array(Memory& memory, const std::string& name, const std::vector<T>& values)
      : Array(memory, name, values.size()) {
    set(values);
  }
  // {1} is one value, not a count.
  Array(Memory& memory, const std::string& name, std::initializer_list<T> values)
      : Array(memory, name, std::vector<T>(values)) {}
  void set(const std::vector<T>& values) {
    memory_.write(address_, values.data(), values.size() * sizeof(T));
  }
  std::vector<T> get() const {
    std::vector<T> values(count_);
    memory_.read(address_, values.data(), count_ * sizeof(T));
    return values;
  }
  u64 address() const { return address_; }
  std::size_t size() const { return count_; }

 private:
  Memory& memory_;
  std::size_t count_;
  u64 address_;
};

}  // namespace ptx
