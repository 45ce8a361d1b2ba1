// A fake libnvidia-ml.so.1 with two GPUs. FAKE_NVML=error: nvmlInit fails; FAKE_NVML=none: no GPUs.
#include <cstdlib>
#include <cstring>

namespace {

bool mode_is(const char* word) {
  const char* text = std::getenv("FAKE_NVML");
  return text != nullptr && std::strcmp(text, word) == 0;
}

int put(char* to, unsigned size, const char* text) {
  std::strncpy(to, text, size);
  return 0;
}

struct Memory {
  unsigned long long total, free, used;
};

}  // namespace

struct NvmlDevice {};
static NvmlDevice devices[2];

extern "C" {

int nvmlInit_v2() { return mode_is("error") ? 9 : 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int) { return "Driver Not Loaded"; }
int nvmlSystemGetDriverVersion(char* to, unsigned size) { return put(to, size, "580.1"); }
int nvmlDeviceGetCount_v2(unsigned* count) { return *count = mode_is("none") ? 0 : 2, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice** device) {
  return *device = &devices[index], 0;
}
int nvmlDeviceGetName(NvmlDevice*, char* to, unsigned size) { return put(to, size, "Abacus 9"); }
int nvmlDeviceGetUUID(NvmlDevice* device, char* to, unsigned size) {
  return put(to, size, device == devices ? "GPU-1-2" : "GPU-1-3");
}
int nvmlDeviceGetMemoryInfo(NvmlDevice*, Memory* memory) {
  const unsigned long long gib = 1ULL << 30;
  *memory = {8 * gib, 6 * gib, 2 * gib};
  return 0;
}
}
