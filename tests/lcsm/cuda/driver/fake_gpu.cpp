#include "tests/lcsm/cuda/driver/fake_gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace lcsm::test {
namespace {

// Results of the driver.
constexpr int kFine = 0, kInvalidValue = 1, kInvalidHandle = 400, kNotFound = 500,
              kNotInCapture = 900;

void join(Seen* into, const Seen& other) {
  for (const auto& [stream, n] : other) (*into)[stream] = std::max((*into)[stream], n);
}

}  // namespace

class FakeGraph : public DeviceGraph {
 public:
  explicit FakeGraph(FakeGpu* gpu) : gpu_(gpu) {}
  void capture(const std::function<void()>& work) override { work_ = work; }
  void replay() override {
    gpu_->in_graph_ = true;
    work_();
    gpu_->in_graph_ = false;
  }

 private:
  FakeGpu* const gpu_;
  std::function<void()> work_;
};

FakeGpu::FakeGpu() { make_stream(); }

CudaHandle FakeGpu::make_stream() {
  streams_.emplace_back();
  streams_.back().number = static_cast<int>(streams_.size());
  return &streams_.back();
}

void FakeGpu::own(void* base, std::size_t bytes, const std::string& name) {
  const std::lock_guard lock(mutex_);
  memory_.own(base, bytes, name);
}
void FakeGpu::disown(void* base) {
  const std::lock_guard lock(mutex_);
  memory_.disown(base);
}

std::string FakeGpu::findings() {
  memory_.check_whole();
  return memory_.findings();
}

std::shared_ptr<Gpu> FakeGpu::gpu(const CudaDriver& driver) {
  GpuFacts facts;
  facts.processors = processors;
  facts.choices = choices;
  facts.stream = [this] { return main_stream(); };
  facts.graph = [this] { return std::make_unique<FakeGraph>(this); };
  // CI keeps them for its next clone.
  const char* const kept = std::getenv("LCSM_TEST_KERNELS");
  facts.kernels = kept != nullptr ? std::filesystem::path(kept)
                                  : std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                                        "ptx/kernels";
  return std::make_shared<Gpu>(driver, facts);
}

Moment FakeGpu::next(Stream* stream) {
  join(&stream->seen, host_);
  return {stream->number, ++stream->seen[stream->number]};
}

int FakeGpu::queue(CudaHandle stream, const Work& work) {
  const std::lock_guard lock(mutex_);
  auto* const own = static_cast<Stream*>(stream);
  return own == nullptr ? kInvalidHandle : work(stream);
}

int FakeGpu::load(CudaHandle* module, const void* image) {
  if (in_graph_) return kNotInCapture;
  const auto name = "module " + std::to_string(modules_.size());
  modules_.push_back({ptx::read_program(name, static_cast<const char*>(image), memory_.judged())});
  *module = &modules_.back();
  return kFine;
}

int FakeGpu::find(CudaHandle* function, CudaHandle module, const char* name) {
  const ptx::Program& program = static_cast<Module*>(module)->program;
  const auto same = [&](const ptx::Kernel& kernel) { return kernel.name == name; };
  const auto kernel = std::find_if(program.kernels.begin(), program.kernels.end(), same);
  if (kernel == program.kernels.end()) return kNotFound;
  // Static and dynamic shared memory, unless more is asked for.
  constexpr int kShared = 48 * 1024;
  functions_.push_back({&program, name, kernel->shared_bytes, kShared - kernel->shared_bytes});
  *function = &functions_.back();
  return kFine;
}

int FakeGpu::launch(const Function& function, const LaunchSizes& sizes,
                    std::vector<ptx::u8> arguments, Stream* stream) {
  constexpr unsigned kMostBlocks = 65535;  // of y and z
  const ptx::Kernel& kernel = function.program->kernel(function.name);
  if (sizes.grid.total() == 0 || sizes.block.total() > kernel.most_threads ||
      sizes.grid.y > kMostBlocks || sizes.grid.z > kMostBlocks ||
      static_cast<int>(sizes.shared_bytes) > function.most_shared ||
      arguments.size() != static_cast<std::size_t>(kernel.parameter_bytes))
    return kInvalidValue;
  const std::vector<Piece*> used = memory_.translate(&arguments);
  ptx::Launch launch{function.name, sizes.grid, sizes.block, sizes.shared_bytes, {}};
  for (const ptx::Parameter& parameter : kernel.parameters) {
    launch.arguments.emplace_back(0);
    const auto first = arguments.begin() + parameter.offset;
    launch.arguments.back().bytes.assign(first, first + parameter.bytes);
  }
  for (Piece* piece : used) memory_.copy_in(piece);
  const Moment now = next(stream);
  ++launches_;
  const ptx::Report report = ptx::run(*function.program, memory_.judged(), launch);
  if (counted) counted(function.name, report.counts);
  const std::string text = report.text();
  if (!text.empty()) memory_.finding(text.substr(0, text.size() - 1));
  for (Piece* piece : used)
    memory_.use(piece, now, stream->seen, memory_.copy_out(piece), function.name);
  return kFine;
}

int FakeGpu::copy(CudaAddress to, CudaAddress from, std::size_t bytes, Stream* stream) {
  Piece *const target = memory_.find(to), *const source = memory_.find(from);
  const auto holds = [&](const Piece* piece, CudaAddress at) {
    return piece != nullptr &&
           at + bytes <= reinterpret_cast<std::uintptr_t>(piece->base) + piece->bytes;
  };
  if (!holds(target, to) || !holds(source, from)) return kInvalidValue;
  const Moment now = next(stream);
  memory_.use(source, now, stream->seen, false, "a copy");
  memory_.use(target, now, stream->seen, true, "a copy");
  const char* const data = source->base + (from - reinterpret_cast<std::uintptr_t>(source->base));
  char* const place = target->base + (to - reinterpret_cast<std::uintptr_t>(target->base));
  if (!pinned_.contains(target->base)) {
    std::memmove(place, data, bytes);
    return kFine;
  }
  for (const Arrival& other : stream->arrivals)
    if (other.to == place)
      memory_.finding("order: a copy to the host replaces one that nobody has waited for");
  stream->arrivals.push_back({now.n, place, {data, data + bytes}});
  return kFine;
}

int FakeGpu::arrive(Stream* stream, std::uint64_t last) {
  stream->arrivals.remove_if([&](const Arrival& each) {
    if (each.n > last) return false;
    std::memcpy(each.to, each.data.data(), each.data.size());
    return true;
  });
  return kFine;
}

CudaDriver FakeGpu::driver() {
  CudaDriver all;
  all.error_text = [](int, const char** text) { return *text = "as a fake has it", kFine; };
  all.retain_context = [this](CudaHandle* context, int) { return *context = this, kFine; };
  all.use_context = [this](CudaHandle context) { return context == this ? kFine : kInvalidHandle; };
  all.load_module = [this](CudaHandle* module, const void* image) { return load(module, image); };
  all.find_function = [this](CudaHandle* function, CudaHandle module, const char* name) {
    return find(function, module, name);
  };
  all.set_attribute = [](CudaHandle function, int attribute, int value) {
    auto* const own = static_cast<Function*>(function);
    if (attribute != kCudaMaxDynamicShared || own->still + value > 227 * 1024) return kInvalidValue;
    return own->most_shared = value, kFine;
  };
  all.launch = [this](CudaHandle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned shared, CudaHandle stream, void**,
                      void** extra) {
    const auto* const bytes = static_cast<const ptx::u8*>(extra[1]);
    std::vector<ptx::u8> arguments(bytes, bytes + *static_cast<const std::size_t*>(extra[3]));
    return queue(stream, [=, this](CudaHandle on) {
      return launch(*static_cast<Function*>(function), {{gx, gy, gz}, {bx, by, bz}, shared},
                    arguments, static_cast<Stream*>(on));
    });
  };
  all.copy = [this](CudaAddress to, CudaAddress from, std::size_t bytes, CudaHandle stream) {
    return queue(stream, [=, this](CudaHandle on) {
      return copy(to, from, bytes, static_cast<Stream*>(on));
    });
  };
  all.allocate_host = [this](void** memory, std::size_t bytes, unsigned) {
    std::vector<char> space(bytes);
    *memory = space.data();
    own(*memory, bytes, "memory of the host");
    pinned_[*memory] = std::move(space);
    return kFine;
  };
  all.free_host = [this](void* memory) {
    disown(memory);
    return pinned_.erase(memory) == 1 ? kFine : kInvalidValue;
  };
  fill_order(&all);
  return all;
}

void FakeGpu::fill_order(CudaDriver* driver) {
  driver->make_event = [this](CudaHandle* event, unsigned) {
    events_.emplace_back();
    return *event = &events_.back(), kFine;
  };
  driver->free_event = [this](CudaHandle event) {
    events_.remove_if([&](const Event& each) { return &each == event; });
    return kFine;
  };
  driver->record = [this](CudaHandle event, CudaHandle stream) {
    return queue(stream, [=](CudaHandle on) {
      auto* const own = static_cast<Stream*>(on);
      own->seen.try_emplace(own->number, 0);
      *static_cast<Event*>(event) = {own, own->seen};
      return kFine;
    });
  };
  driver->stream_waits = [this](CudaHandle stream, CudaHandle event, unsigned) {
    return queue(stream, [=](CudaHandle on) {
      join(&static_cast<Stream*>(on)->seen, static_cast<Event*>(event)->seen);
      return kFine;
    });
  };
  driver->host_waits = [this](CudaHandle event) {
    const auto& own = *static_cast<Event*>(event);
    if (own.stream == nullptr) return kFine;  // never recorded: nothing to wait for
    if (in_graph_) return kNotInCapture;
    join(&host_, own.seen);
    return arrive(own.stream, own.seen.at(own.stream->number));
  };
  driver->finish = [this](CudaHandle stream) {
    auto* const own = static_cast<Stream*>(stream);
    if (in_graph_) return kNotInCapture;
    join(&host_, own->seen);
    return arrive(own, UINT64_MAX);
  };
}

}  // namespace lcsm::test
