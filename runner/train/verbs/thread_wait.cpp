// Limits how long a thread of OpenMP spins while it waits for the others. The default is
// milliseconds, and a process that shares its cores spends nearly all of its time spinning: a
// training step of two threads beside a compiler took 70 times as long. The library reads the
// environment once, when it is loaded, so the program sets the variable and executes itself again,
// before any library is set up (3 ms).
#include <unistd.h>

#include <climits>
#include <string_view>
#include <vector>

namespace {

// About 0.1 ms: longer than the time between two operations, shorter than a time slice of the
// kernel.
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
  char program[PATH_MAX] = {};  // the program's path, so that `ps` shows its name
  if (readlink("/proc/self/exe", program, sizeof program - 1) > 0)
    execve(program, words, all.data());  // if that fails, the program continues as it is
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = begin_anew;

}  // namespace
