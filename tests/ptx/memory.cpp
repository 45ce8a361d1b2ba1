#include "tests/ptx/memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ptx {

u64 Memory::allocate(const std::string& name, u64 bytes) {
  auto region = std::make_unique<Region>();
  region->name = name;
  region->data.assign(bytes, kPoison);
  region->written.assign(bytes, 0);
  regions_.push_back(std::move(region));
  return (regions_.size() - 1) << kRegionShift;
}

Region& Memory::within(u64 address, u64 bytes, const char* who) const {
  const u64 index = address >> kRegionShift, offset = address - (index << kRegionShift);
  Region* region = index < regions_.size() ? regions_[index].get() : nullptr;
  if (region == nullptr || region->freed)
    throw std::runtime_error(std::string(who) + ": expected an address of Memory::allocate, got " +
                             std::to_string(address) + ": was it freed?");
  if (offset + bytes > region->data.size())
    throw std::runtime_error(std::string(who) + ": expected at most " +
                             std::to_string(region->data.size()) + " bytes in " + region->name +
                             ", got " + std::to_string(offset + bytes) + ": allocate more.");
  return *region;
}

void Memory::free(u64 address) {
  Region& region = within(address, 0, "Memory::free");
  region.freed = true;
  region.data = {};
  region.written = {};
  region.cells = {};
}

void Memory::write(u64 address, const void* data, u64 bytes) {
  Region& region = within(address, bytes, "Memory::write");
  const u64 offset = address & ((1ull << kRegionShift) - 1);
  if (bytes == 0) return;
  std::memcpy(region.data.data() + offset, data, bytes);
  std::memset(region.written.data() + offset, 1, bytes);
}

void Memory::read(u64 address, void* data, u64 bytes) const {
  const Region& region = within(address, bytes, "Memory::read");
  if (bytes != 0)
    std::memcpy(data, region.data.data() + (address & ((1ull << kRegionShift) - 1)), bytes);
}

void Memory::fill(u64 address, u8 value, u64 bytes) {
  write(address, std::vector<u8>(bytes, value).data(), bytes);
}

void Memory::poison(u64 address) {
  Region& region = within(address, 0, "Memory::poison");
  std::fill(region.data.begin(), region.data.end(), kPoison);
  std::fill(region.written.begin(), region.written.end(), u8{0});
}

void Memory::protect(u64 address) { within(address, 0, "Memory::protect").writable = false; }

u64 Memory::unwritten(u64 address, u64 bytes) const {
  const Region& region = within(address, bytes, "Memory::unwritten");
  const auto begin =
      region.written.begin() + static_cast<i64>(address & ((1ull << kRegionShift) - 1));
  return static_cast<u64>(std::count(begin, begin + static_cast<i64>(bytes), u8{0}));
}

}  // namespace ptx
