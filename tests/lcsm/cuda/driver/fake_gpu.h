// A fake GPU behind the driver's functions: launches run through the PTX judge on host memory, at
// once and in the order of the calls. Findings are the judge's, uses of memory before its event,
// and incomplete results. Copies to the host arrive when the host waits for them.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "lcsm/cuda/driver/gpu.h"
#include "tests/lcsm/cuda/driver/fake_memory.h"
#include "tests/ptx/judge.h"

namespace lcsm::test {

class FakeGpu {
 public:
  FakeGpu();
  FakeGpu(const FakeGpu&) = delete;

  // Tests may change copies of the driver to plant faults. This object must outlive them.
  CudaDriver driver();
  // A GPU on the main stream, with kernels compiled once for all tests.
  std::shared_ptr<Gpu> gpu(const CudaDriver& driver);
  std::shared_ptr<Gpu> gpu() { return gpu(driver()); }

  CudaHandle main_stream() { return &streams_.front(); }
  CudaHandle make_stream();

  // Makes host memory the device's from now on. Thread-safe.
  void own(void* base, std::size_t bytes, const std::string& name);
  void disown(void* base);

  // All findings, one per line; "" if there are none. Also checks that results are complete.
  std::string findings();
  int launches() const { return launches_; }
  // A graph calls the captured work again at each replay, so captured work must hold host data by
  // value. Waiting and loading a module in captured work are errors.
  bool in_graph() const { return in_graph_; }
  void finding(const std::string& text) { memory_.finding(text); }
  int processors = 1;  // few: scans do not split time
  Choices choices;
  std::function<void(const std::string& kernel, const ptx::Counts& counts)> counted;  // by launches

 private:
  friend class FakeGraph;
  struct Module {
    ptx::Program program;
  };
  struct Function {
    const ptx::Program* program;
    std::string name;
    int still;        // bytes of static shared memory
    int most_shared;  // of dynamic
  };
  using Work = std::function<int(CudaHandle stream)>;
  struct Arrival {  // of a copy to the host
    std::uint64_t n;
    void* to;
    std::vector<char> data;
  };
  struct Stream {
    int number = 0;
    Seen seen;  // its own last work too
    std::list<Arrival> arrivals;
  };
  struct Event {
    Stream* stream = nullptr;
    Seen seen;
  };

  struct LaunchSizes {
    ptx::Size grid, block;
    unsigned shared_bytes;
  };
  int load(CudaHandle* module, const void* image);
  int find(CudaHandle* function, CudaHandle module, const char* name);
  int launch(const Function& function, const LaunchSizes& sizes, std::vector<ptx::u8> arguments,
             Stream* stream);
  int copy(CudaAddress to, CudaAddress from, std::size_t bytes, Stream* stream);
  int queue(CudaHandle stream, const Work& work);
  Moment next(Stream* stream);
  int arrive(Stream* stream, std::uint64_t last);
  void fill_order(CudaDriver* driver);

  std::recursive_mutex mutex_;
  FakeMemory memory_;
  std::list<Stream> streams_;
  std::list<Event> events_;
  std::list<Module> modules_;
  std::list<Function> functions_;
  std::map<void*, std::vector<char>> pinned_;
  Seen host_;  // what the host has waited for
  int launches_ = 0;
  bool in_graph_ = false;
};

}  // namespace lcsm::test
