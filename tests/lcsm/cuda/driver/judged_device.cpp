#include "tests/lcsm/cuda/driver/judged_device.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace lcsm::test {

float rounded(float x, bool bfloat16) {
  if (!bfloat16) return x;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u);
}

std::map<std::string, double> differences(const Named& got, const Named& expected) {
  std::map<std::string, double> all;
  for (const auto& [name, values] : expected) {
    double most = 1e-30, off = 0;
    const Numbers& others = got.at(name);
    for (std::size_t n = 0; n < values.size(); ++n) {
      most = std::max(most, std::abs(values[n]));
      const double by = std::abs(others.at(n) - values[n]);
      off = std::isnan(by) ? INFINITY : std::max(off, by);
    }
    all[name] = off / most;
  }
  return all;
}

Kernels::Kernels(std::string ptx) : ptx_(std::move(ptx)) {
  const std::string_view all = ptx_, entry = ".visible .entry ", end = "\n}\n";
  std::size_t at = 0;
  for (std::size_t next; (next = all.find(entry, at)) != all.npos;) {
    outside_ += all.substr(at, next - at);
    at = std::min(all.find(end, next), all.size() - end.size()) + end.size();
    const std::size_t name = next + entry.size();
    texts_[std::string(all.substr(name, all.find('(', name) - name))] = all.substr(next, at - next);
  }
  outside_ += all.substr(at);
}

const ptx::Program& Kernels::of(const std::string& kernel, ptx::Memory& memory) const {
  const auto kept = read_.find(kernel);
  if (kept != read_.end() && kept->second.arrays.empty()) return kept->second;
  const auto text = texts_.find(kernel);
  if (text == texts_.end()) throw std::invalid_argument("the PTX has no kernel " + kernel);
  return read_[kernel] =
             ptx::read_program("kernels.cu", outside_ + std::string(text->second), memory);
}

const Kernels* built_kernels(const std::string& name) {
  static std::map<std::string, Kernels> kept;
  if (const auto found = kept.find(name); found != kept.end()) return &found->second;
  std::ifstream file(std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptx" /
                     (name + ".ptx"));
  if (!file) return nullptr;
  return &kept.try_emplace(name, std::string(std::istreambuf_iterator<char>(file), {}))
              .first->second;
}

namespace {

std::vector<ptx::u8> stored_as(const Numbers& values, JudgedDevice::As as) {
  using As = JudgedDevice::As;
  const auto size = static_cast<std::size_t>(as);
  std::vector<ptx::u8> all(values.size() * size);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[n]));
    const std::uint64_t stored = as == As::kFloat64    ? std::bit_cast<std::uint64_t>(values[n])
                                 : as == As::kFloat32  ? bits
                                 : as == As::kBfloat16 ? bits >> 16
                                                       : static_cast<std::uint64_t>(values[n]);
    std::memcpy(all.data() + n * size, &stored, size);
  }
  return all;
}

}  // namespace

void* JudgedDevice::allocate(const std::string& what, std::size_t bytes) {
  return reinterpret_cast<void*>(memory_.allocate(what, bytes));
}

void JudgedDevice::write(void* at, const void* data, std::size_t bytes, bool writable) {
  memory_.write(reinterpret_cast<ptx::u64>(at), data, bytes);
  if (!writable) memory_.protect(reinterpret_cast<ptx::u64>(at));
}

void* JudgedDevice::put(const std::string& name, const Numbers& values, As as) {
  const std::vector<ptx::u8> stored = stored_as(values, as);
  return put(name, stored, false);
}

void* JudgedDevice::put(const std::string& name, long long value) {
  return put(name, std::vector{value}, false);
}

void* JudgedDevice::result(const std::string& name, std::size_t count, As as) {
  void* const at = allocate(name, count * static_cast<std::size_t>(as));
  results_[name] = {reinterpret_cast<ptx::u64>(at), count, as};
  return at;
}

void* JudgedDevice::result(const std::string& name, const Numbers& values, bool bfloat16) {
  void* const at = result(name, values.size(), bfloat16);
  const std::vector<ptx::u8> stored = stored_as(values, bfloat16 ? As::kBfloat16 : As::kFloat32);
  write(at, stored.data(), stored.size(), true);
  return at;
}

void JudgedDevice::run(const std::vector<KernelCall>& calls) {
  for (const KernelCall& call : calls) {
    ptx::Argument argument(0);
    const auto* const bytes = reinterpret_cast<const ptx::u8*>(call.argument.data());
    argument.bytes.assign(bytes, bytes + call.argument.size());
    const auto size = [](const auto& of) { return ptx::Size{of[0], of[1], of[2]}; };
    const ptx::Report report = ptx::run_in_orders(
        kernels_.of(call.kernel, memory_), memory_,
        {call.kernel, size(call.grid), size(call.block), call.shared_bytes, {argument}}, orders_,
        options_);
    judged_.findings += report.text();
    judged_.counts[call.kernel] = report.counts;
  }
}

Judged JudgedDevice::judged() const {
  Judged all = judged_;
  for (const auto& [name, at] : results_)
    for (std::size_t n = 0; n < at.count; ++n) {
      const auto size = static_cast<std::size_t>(at.as);
      std::uint64_t bits = 0;
      memory_.read(at.address + n * size, &bits, size);
      const auto single = static_cast<std::uint32_t>(at.as == As::kBfloat16 ? bits << 16 : bits);
      all.values[name].push_back(at.as == As::kFloat64
                                     ? std::bit_cast<double>(bits)
                                     : static_cast<double>(std::bit_cast<float>(single)));
    }
  return all;
}

}  // namespace lcsm::test
