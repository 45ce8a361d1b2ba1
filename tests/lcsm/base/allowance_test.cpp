#include "lcsm/base/allowance.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lcsm {
namespace {

namespace fs = std::filesystem;

// A fake host with 16 GiB below a temporary folder.
class AllowanceOf : public testing::Test {
 protected:
  AllowanceOf() {
    std::string name = fs::temp_directory_path() / "lcsm-allowance-XXXXXX";
    root = mkdtemp(name.data());
    put("proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1 kB\nMemAvailable: 8388608 kB\n");
    put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Abacus 3\n");
  }
  ~AllowanceOf() override { fs::remove_all(root); }

  void put(const char* file, const char* text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  fs::path root;
};

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST_F(AllowanceOf, WithoutLimitsIsTheWholeHost) {
  const Allowance a = read_allowance(root);
  EXPECT_EQ(a.memory_total, 16 * kGiB);
  EXPECT_EQ(a.memory_free, 8 * kGiB);
  EXPECT_EQ(a.memory_limit, 0U);
  EXPECT_EQ(a.cores_quota, 0);
  EXPECT_EQ(a.cores(), a.cores_affinity);
  EXPECT_EQ(cpu_model(root), "Abacus 3");
}

TEST_F(AllowanceOf, Version2GroupsBindOnEveryLevel) {
  put("proc/self/cgroup", "0::/jobs/one\n");
  put("sys/fs/cgroup/jobs/one/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/jobs/cpu.max", "50000 100000\n");
  put("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  put("sys/fs/cgroup/jobs/memory.max", "4294967296\n");
  put("sys/fs/cgroup/jobs/memory.current", "3221225472\n");
  put("sys/fs/cgroup/jobs/memory.stat", "anon 1\ninactive_file 1073741824\n");
  const Allowance a = read_allowance(root);
  EXPECT_EQ(a.cores_quota, 0.5);
  EXPECT_EQ(a.cores(), 1);
  EXPECT_EQ(a.memory_limit, 4 * kGiB);
  EXPECT_EQ(a.memory_free, 2 * kGiB);  // 1 GiB unused, 1 GiB cache
}

TEST_F(AllowanceOf, Version1GroupsBindToo) {
  put("proc/self/cgroup", "4:memory:/a\n1:cpu,cpuacct:/b\n0::/\n");
  put("sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", "150000\n");
  put("sys/fs/cgroup/cpu/b/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1073741824\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const Allowance a = read_allowance(root);
  EXPECT_EQ(a.cores_quota, 1.5);
  EXPECT_EQ(a.memory_limit, kGiB);
  EXPECT_EQ(a.memory_free, kGiB);
}

TEST_F(AllowanceOf, AHiddenGroupIsTheMountItself) {
  put("proc/self/cgroup", "0::/../outside\n");
  put("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(read_allowance(root).cores_quota, 1);
}

TEST(Allowance, OfThisHostIsPositive) {
  const Allowance a = read_allowance();
  EXPECT_GE(a.cores(), 1);
  EXPECT_GT(a.memory_total, 0U);
  EXPECT_GT(a.memory_free, 0U);
}

}  // namespace
}  // namespace lcsm
