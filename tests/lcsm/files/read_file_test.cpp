#include "lcsm/files/read_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <system_error>
#include <thread>

#include "lcsm/files/open_file.h"
#include "tests/runner/run_program.h"

namespace lcsm {
namespace {

class ReadFile : public testing::Test {
 protected:
  std::filesystem::path path() const { return scratch_.path() / "file"; }

 private:
  runner::ScratchFolder scratch_;
};

std::errc error_of(const std::filesystem::path& path) {
  try {
    read_file(path);
  } catch (const std::system_error& error) {
    return static_cast<std::errc>(error.code().value());
  }
  return {};
}

}  // namespace

TEST_F(ReadFile, FromAnyOffsetUpToAnySize) {
  std::ofstream(path()) << "0123456789";
  EXPECT_EQ(read_file(path()), "0123456789");
  EXPECT_EQ(read_file(path(), 7), "789");
  EXPECT_EQ(read_file(path(), 10), "");
  EXPECT_EQ(read_file(path(), 11), "");
  EXPECT_EQ(read_file(path(), 2, 3), "234");
}

TEST_F(ReadFile, FilesThatSayTheyAreEmpty) {
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
  EXPECT_EQ(read_file("/dev/zero", 0, 20000), std::string(20000, '\0'));
  EXPECT_EQ(read_file("/dev/null"), "");
}

TEST_F(ReadFile, SaysWhyNot) {
  EXPECT_EQ(error_of(path()), std::errc::no_such_file_or_directory);
  EXPECT_EQ(error_of("/"), std::errc::is_a_directory);
  std::filesystem::create_symlink(path(), path());
  EXPECT_EQ(error_of(path()), std::errc::too_many_symbolic_link_levels);
}

TEST_F(ReadFile, APipeIsReadToItsEndOrIsEmpty) {
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(read_file(path()), "");  // nobody writes: does not wait
  const OpenFile reader(path(), O_RDONLY);
  OpenFile writer(path(), O_WRONLY);
  ASSERT_TRUE(writer.is_open());
  const std::string text(50'000, 'x');  // less than a pipe holds
  const std::jthread late([&] {
    usleep(20'000);
    write_all(writer.handle(), text);
    writer = OpenFile();
  });
  EXPECT_EQ(read_file(path()), text);
}

}  // namespace lcsm
