// Shared by tests of kernels: a PTX's kernels, numbers on the judge's device, differences.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "tests/ptx/judge.h"

namespace lcsm::test {

using Numbers = std::vector<double>;
using Named = std::map<std::string, Numbers>;

// The value as stored in bfloat16, or unchanged.
float rounded(float x, bool bfloat16);

// The largest difference by name, relative to the largest number of the expected ones.
std::map<std::string, double> differences(const Named& got, const Named& expected);

// The kernels of a PTX, each parsed on first use: parsing all of them takes longer than running
// one.
class Kernels {
 public:
  explicit Kernels(std::string ptx);
  // Valid until the next call: a module's arrays are in one memory, so a kernel that uses them is
  // parsed again for another memory.
  const ptx::Program& of(const std::string& kernel, ptx::Memory& memory) const;

 private:
  const std::string ptx_;
  std::string outside_;
  std::map<std::string, std::string_view> texts_;
  mutable std::map<std::string, ptx::Program> read_;
};

// The kernels of a PTX that the build compiles, cached for the process; null without a toolkit.
const Kernels* built_kernels(const std::string& name);

struct Judged {
  Named values;
  std::string findings;
  std::map<std::string, ptx::Counts> counts;  // by kernel, of its last launch
};

// Runs a case's calls at once, in several orders of blocks and warps.
class JudgedDevice {
 public:
  enum class As { kByte = 1, kBfloat16 = 2, kFloat32 = 4, kFloat64 = 8 };

  JudgedDevice(const Kernels& kernels, int orders, const ptx::Options& options)
      : kernels_(kernels), orders_(orders), options_(options) {}

  void* allocate(const std::string& what, std::size_t bytes);
  // Inputs, which no kernel may write.
  void* put(const std::string& name, const Numbers& values, As as);
  void* put(const std::string& name, const Numbers& values, bool bfloat16) {
    return put(name, values, bfloat16 ? As::kBfloat16 : As::kFloat32);
  }
  void* put(const std::string& name, long long value);
  // A result of `judged`.
  void* result(const std::string& name, std::size_t count, As as);
  // Allocates a result that is computed in place of these values.
  void* result(const std::string& name, const Numbers& values, bool bfloat16);
  void* result(const std::string& name, std::size_t count, bool bfloat16) {
    return result(name, count, bfloat16 ? As::kBfloat16 : As::kFloat32);
  }
  // Numbers of any type, computed in place or protected; read them by `get`.
  template <class T>
  T* put(const std::string& name, const std::vector<T>& values, bool writable) {
    void* const at = allocate(name, values.size() * sizeof(T));
    write(at, values.data(), values.size() * sizeof(T), writable);
    return static_cast<T*>(at);
  }
  template <class T>
  std::vector<T> get(const T* from, std::size_t count) const {
    std::vector<T> values(count);
    memory_.read(reinterpret_cast<ptx::u64>(from), values.data(), count * sizeof(T));
    return values;
  }
  void run(const std::vector<KernelCall>& calls);
  Judged judged() const;

 private:
  void write(void* at, const void* data, std::size_t bytes, bool writable);

  struct Result {
    ptx::u64 address;
    std::size_t count;
    As as;
  };
  const Kernels& kernels_;
  const int orders_;
  const ptx::Options options_;
  ptx::Memory memory_;
  std::map<std::string, Result> results_;
  Judged judged_;
};

}  // namespace lcsm::test
