#include "runner/data/import/libarchive.h"

#include <dlfcn.h>

#include "runner/data/tasks/data_search.h"

namespace runner {
namespace {

constexpr const char* kLibrary = "libarchive.so.13";

}  // namespace

Libarchive::Libarchive() {
  // Never closed: some of what it loads does not survive that.
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw DataMissing(std::string("expected the library ") + kLibrary + ", got: " + dlerror() +
                      ": install libarchive13, or unpack the archive and pass its folder");
#define LCSM_FIND(name)                                                 \
  name = reinterpret_cast<decltype(name)>(dlsym(library, #name));       \
  if (name == nullptr)                                                  \
    throw DataMissing(std::string(kLibrary) + " has no function " #name \
                                              ": install another version of libarchive13");
  LCSM_LIBARCHIVE(LCSM_FIND)
#undef LCSM_FIND
}

}  // namespace runner
