// A fake libcuda.so.1: its answers come from the environment, so that a host without a GPU can show
// every way in which a driver fails.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return setting("FAKE_INIT", 0); }
int cuGetErrorString(int, const char** text) { return *text = "a fake error", 0; }
int cuDriverGetVersion(int* version) { return *version = setting("FAKE_VERSION", 13000), 0; }
int cuDeviceGetCount(int* count) { return *count = setting("FAKE_COUNT", 1), 0; }
int cuDeviceGet(int* handle, int index) { return *handle = index, 0; }
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = std::size_t{8} << 30, 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kMajor = 75;
  return *value = attribute == kMajor ? setting("FAKE_MAJOR", 9) : attribute, 0;
}
int cuDeviceGetName(char* name, int size, int) { return std::strncpy(name, "Fake", size), 0; }
}
