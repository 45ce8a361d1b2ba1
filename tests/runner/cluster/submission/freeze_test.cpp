#include "runner/cluster/submission/freeze.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>

#include "tests/message_of.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class Freeze : public testing::Test {
 protected:
  fs::path program(const std::string& text) const {
    const fs::path file = folder_.path() / "program";
    std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
    chmod(file.c_str(), 0755);
    return file;
  }
  std::string freeze(const fs::path& file) const {
    return freeze_programs(folder_.path() / "w", {{"lcsm", file}});
  }
  fs::path frozen(const std::string& hash) const { return folder_.path() / "w/frozen" / hash; }

  ScratchFolder folder_;
};

TEST_F(Freeze, KeepsWhatTheProgramWasThen) {
  const std::string first = freeze(program("echo first"));
  EXPECT_EQ(freeze(program("echo first")), first);
  const std::string second = freeze(program("echo second"));
  EXPECT_NE(second, first);
  EXPECT_EQ(run_program({(frozen(first) / "lcsm").string()}).out, "first\n");
  EXPECT_EQ(run_program({(frozen(second) / "lcsm").string()}).out, "second\n");
}

// A workspace from somebody else may have another program under the right name, or an extra
// library.
TEST_F(Freeze, WritesAgainWhatIsNotWhatWasFrozen) {
  const fs::path good = program("echo good");
  const std::string hash = freeze(good);
  const fs::path lcsm = frozen(hash) / "lcsm";
  const auto expect_good = [&](const char* what) {
    EXPECT_EQ(freeze(good), hash) << what;
    EXPECT_EQ(run_program({lcsm.string()}).out, "good\n") << what;
    EXPECT_FALSE(fs::is_symlink(lcsm)) << what;
    EXPECT_TRUE(fs::is_empty(frozen(hash) / "lib")) << what;
  };
  const auto evil = [&](const fs::path& file) {
    std::ofstream(file) << "#!/bin/sh\necho evil\n";
    chmod(file.c_str(), 0755);
  };
  evil(lcsm);  // also the content: it is one file
  expect_good("content");
  fs::remove(lcsm);
  evil(lcsm);
  expect_good("program");
  evil(folder_.path() / "elsewhere");
  fs::remove(lcsm);
  fs::create_symlink(folder_.path() / "elsewhere", lcsm);
  expect_good("link");
  evil(frozen(hash) / "lib" / "libc.so.6");
  expect_good("library");
}

TEST(OwnLibraries, AreThoseOutsideOfTheSystem) {
  const OwnLibraries own = own_libraries(
      "\tlinux-vdso.so.1 (0x00007f)\n\tlibc.so.6 => /lib/libc.so.6 (0x00007f)\n"
      "\tlibm.so.6 => /usr/lib64/libm.so.6 (0x00007f)\n\tlibgone.so.1 => not found\n"
      "\tlibown.so => /opt/torch/libown.so (0x00007f)\n\t/lib64/ld.so.2 (0x00007f)\n");
  EXPECT_EQ(own.found, std::vector<fs::path>{"/opt/torch/libown.so"});
  EXPECT_EQ(own.missing, std::vector<std::string>{"libgone.so.1"});
}

TEST_F(Freeze, NamesALibraryThatAProgramLacks) {
  const fs::path lcsm = program_beside("lcsm"), needy = program_beside("libfake_needy.so");
  if (lcsm.empty() || needy.empty()) GTEST_SKIP() << "lcsm or libfake_needy.so was not built";
  setenv("LD_PRELOAD", needy.c_str(), 1);  // as if lcsm were linked with it
  EXPECT_EQ(message_of<std::runtime_error>([&] { freeze(lcsm); }),
            lcsm.string() + " needs libfake_absent.so, which is not found: see `lcsm doctor`");
  unsetenv("LD_PRELOAD");
}

// libneedy.so lacks a library, as liblcsm_cuda.so does on a host without a GPU.
TEST_F(Freeze, TakesAlongWhatAProgramOpens) {
  const fs::path lcsm = program_beside("lcsm"), built = program_beside("libfake_needy.so");
  if (lcsm.empty() || built.empty()) GTEST_SKIP() << "lcsm or libfake_needy.so was not built";
  const fs::path own = folder_.path() / "own libraries", needy = own / "libneedy.so";
  fs::create_directory(own);
  fs::copy_file(built, needy);
  const fs::path needed = own / "libfake_absent.so";
  fs::copy_file(program_beside("libfake_driver.so"), needed);
  for (const char* name :
       {"libcudnn_ops.so.9", "libnvrtc.so.13", "libcudart.so.13", "notes.so.txt"})
    std::ofstream(own / name) << name;
  fs::create_symlink("libnvrtc.so.13", own / "libnvrtc.so");
  const auto names = [&](const std::string& hash) {
    std::set<std::string> all;
    for (const auto& each : fs::directory_iterator(frozen(hash) / "lib"))
      all.insert(each.path().filename());
    return all;
  };
  const auto freeze_both = [&] {
    return names(freeze_programs(folder_.path() / "w", {{"lcsm", lcsm, needy}}));
  };
  const std::set<std::string> without = freeze_both();
  EXPECT_TRUE(without.contains("libneedy.so"));
  EXPECT_FALSE(without.contains("libfake_absent.so"));
  setenv("LD_LIBRARY_PATH", own.c_str(), 1);
  std::set<std::string> more = freeze_both();
  unsetenv("LD_LIBRARY_PATH");
  for (const std::string& each : without) more.erase(each);
  EXPECT_EQ(more,
            (std::set<std::string>{"libfake_absent.so", "libcudnn_ops.so.9", "libnvrtc.so.13"}));
}

TEST_F(Freeze, TakesALibraryAlong) {
  const fs::path lcsm = program_beside("lcsm");
  if (lcsm.empty()) GTEST_SKIP() << "lcsm was not built";
  const std::string listing = run_program({lcsm.string()}, {"LD_TRACE_LOADED_OBJECTS=1"}).out;
  const std::size_t at = listing.find("libfmt.so"), path = listing.find("=> ", at) + 3;
  if (at == listing.npos) GTEST_SKIP() << "lcsm is linked without libfmt.so";
  const std::string name = listing.substr(at, listing.find(' ', at) - at);
  fs::create_directory(folder_.path() / "own");
  fs::copy_file(listing.substr(path, listing.find(' ', path) - path),
                folder_.path() / "own" / name);
  setenv("LD_LIBRARY_PATH", (folder_.path() / "own").c_str(), 1);
  const std::string hash = freeze(lcsm);
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_TRUE(fs::exists(frozen(hash) / "lib" / name));
  EXPECT_EQ(run_program({(frozen(hash) / "lcsm").string(), "--version"}).status, 0);
}

TEST_F(Freeze, APathThatWasLinkedInYieldsToLdLibraryPath) {
  struct {
    Elf64_Ehdr head;
    Elf64_Phdr part;
    Elf64_Dyn entries[3];
  } elf{};
  std::memcpy(elf.head.e_ident, ELFMAG, SELFMAG);
  elf.head.e_ident[EI_CLASS] = ELFCLASS64;
  elf.head.e_phoff = sizeof(Elf64_Ehdr);
  elf.head.e_phentsize = sizeof(Elf64_Phdr);
  elf.head.e_phnum = 1;
  elf.part.p_type = PT_DYNAMIC;
  elf.part.p_offset = offsetof(decltype(elf), entries);
  elf.part.p_filesz = sizeof elf.entries;
  elf.entries[0].d_tag = DT_NEEDED;
  elf.entries[1].d_tag = DT_RPATH;
  const fs::path file = folder_.path() / "elf";
  std::ofstream(file).write(reinterpret_cast<const char*>(&elf), sizeof elf);
  prefer_library_path(file);
  const std::string bytes = read_file(file);
  ASSERT_EQ(bytes.size(), sizeof elf);
  std::memcpy(&elf, bytes.data(), sizeof elf);
  EXPECT_EQ(elf.entries[0].d_tag, DT_NEEDED);
  EXPECT_EQ(elf.entries[1].d_tag, DT_RUNPATH);
}

}  // namespace
}  // namespace runner
