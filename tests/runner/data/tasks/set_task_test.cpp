#include "runner/data/tasks/set_task.h"

#include <gtest/gtest.h>

#include "runner/config/keys/task_keys.h"
#include "tests/message_of.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace runner {
namespace {

class SetTask : public DataFolder {
 protected:
  static RunConfig config_of(const std::vector<std::string>& settings) {
    return parse_config("", "", settings, [](const std::string&) {});
  }
  std::string refusal(const std::vector<std::string>& settings) {
    return message_of<DataMissing>([&] { require_set(config_of(settings), workspace()); });
  }
  void put_all(const std::string& folder) {
    for (const char* split : {"train", "valid", "test"})
      put("workspace/data/" + folder + "/" + split + ".set", std::string(folder) + split);
  }
};

TEST_F(SetTask, SaysWhichCommandBringsWhatIsMissing) {
  const std::string own = refusal({"task.name=lra-listops", "model.code=ssm"});
  EXPECT_NE(own.find("`lcsm data make lra-listops`"), std::string::npos) << own;
  const std::string other = refusal({"task.name=lra-text", "model.code=ssm", "task.data=few"});
  EXPECT_NE(other.find("`lcsm data get lra-text --from DIR --as few`"), std::string::npos) << other;
  const std::string small = refusal({"task.name=lra-listops", "model.code=ssm", "task.data=small",
                                     "task.data_options=--over 10 --under 100"});
  EXPECT_NE(small.find("`lcsm data make lra-listops --as small --over 10 --under 100`"),
            std::string::npos)
      << small;
}

TEST_F(SetTask, FindsTheThreeFiles) {
  put_all("lra-listops");
  const RunConfig config = config_of({"task.name=lra-listops", "model.code=ssm"});
  const std::vector<FilePart> files = set_files(config, workspace());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[1].file, path("workspace/data/lra-listops/valid.set"));
}

TEST_F(SetTask, IsIdentifiedByContentWhereItsDataIsNamed) {
  put_all("few");
  put_all("many");
  RunConfig own = config_of({"task.name=nss", "model.code=ssm"}),
            few = config_of({"task.name=nss", "model.code=ssm", "task.data=few"}),
            many = config_of({"task.name=nss", "model.code=ssm", "task.data=many"});
  for (RunConfig* config : {&own, &few, &many}) pin_content(*config, workspace());
  EXPECT_EQ(own.text("task.content"_key), "");
  EXPECT_EQ(few.text("task.content"_key).size(), 64u);
  EXPECT_NE(few.text("task.content"_key), many.text("task.content"_key));
}

}  // namespace
}  // namespace runner
