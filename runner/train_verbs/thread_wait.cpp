// How long a thread of OpenMP waits awake for the others. By itself it does so for milliseconds,
// and a process that shares its cores with another spends nearly all of its time so: a training
// step of two threads beside a compiler took 70 times as long. The library reads its environment
// once, when it is loaded: so the program begins anew with it, before any library has set itself up
// (3 ms).
#include <unistd.h>

#include <climits>
#include <string_view>
#include <vector>

namespace {

// 0.1 ms or so: longer than what stands between two operations, shorter than a turn of the
// scheduler.
constexpr char kSpins[] = "GOMP_SPINCOUNT=5000";

bool is_said(const char* variable) {
  const std::string_view text = variable;
  return text.starts_with("GOMP_SPINCOUNT=") || text.starts_with("OMP_WAIT_POLICY=");
}

void begin_anew(int, char** words, char** environment) {
  std::vector<char*> all;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    if (is_said(*variable)) return;
    all.push_back(*variable);
  }
  all.push_back(const_cast<char*>(kSpins));
  all.push_back(nullptr);
  char program[PATH_MAX] = {};  // its own path, so that `ps` shows its name
  if (readlink("/proc/self/exe", program, sizeof program - 1) > 0)
    execve(program, words, all.data());  // where that fails, all goes on as it was
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = begin_anew;

}  // namespace
