// Names of metrics and parameters in a sweep's tables, figures and claims.
#include "runner/sweeps/language/result_names.h"

#include <gtest/gtest.h>

namespace runner {

TEST(ResultNames, AreKeysAndMetricsOfTasks) {
  EXPECT_EQ(wrong_parameter("model.code"), "");
  EXPECT_EQ(wrong_axis("step"), "");
  EXPECT_EQ(wrong_axis("seed"), "");
  for (const char* value : {"valid.accuracy", "test.ppl@valid.ppl", "valid.loss@best", "params",
                            "train.loss@200", "host.peak_mib"})
    EXPECT_EQ(wrong_metric(value) + wrong_value(value), "");
  EXPECT_EQ(wrong_value("model.layers"), "");
}

TEST(ResultNames, AreNoKeysThatRunsDoNotKeep) {
  const std::string path =
      "runs do not keep 'task.path', which does not change their results; did you mean "
      "'task.content'?";
  EXPECT_EQ(wrong_parameter("task.path"), path);
  EXPECT_EQ(wrong_axis("task.path"), path);
  EXPECT_EQ(wrong_value("task.path"), path);
  EXPECT_EQ(wrong_label("model.from"),
            "runs do not keep 'model.from', which does not change their results; did you mean "
            "'model.from_content'?");
  EXPECT_EQ(wrong_parameter("run.threads"),
            "runs do not keep 'run.threads', which does not change their results");
}

TEST(ResultNames, SuggestACorrectionIfUnknown) {
  EXPECT_EQ(wrong_parameter("model.cod"), "unknown key 'model.cod'; did you mean 'model.code'?");
  EXPECT_EQ(wrong_axis("steps"), "unknown key 'steps'; did you mean 'step'?");
  EXPECT_EQ(wrong_metric("valid.acuracy@best"),
            "no run reports 'valid.acuracy'; did you mean 'valid.accuracy'?");
  EXPECT_EQ(wrong_value("test.accuracy@valid.acuracy"),
            "no run reports 'valid.acuracy'; did you mean 'valid.accuracy'?");
  EXPECT_EQ(wrong_value("accuracy"), "no run reports 'accuracy'; did you mean 'valid.accuracy'?");
  EXPECT_EQ(wrong_value("test.acc"), "no run reports 'test.acc'; did you mean 'test.accuracy'?");
  EXPECT_EQ(wrong_metric("model.layers"),
            "no run reports 'model.layers'; the metrics are valid.accuracy, valid.loss, valid.ppl, "
            "valid.bpc, valid.f1, valid.mcc, valid.bleu, valid.sacrebleu, valid.mse, "
            "test.accuracy, test.loss, test.ppl, "
            "test.bpc, test.f1, test.mcc, test.bleu, test.sacrebleu, "
            "test.mse, test.accuracy_mismatched, train.loss, train.lr, "
            "train.gradient_norm, params, "
            "state, time.seconds, time.tokens_per_second, host.peak_mib, host.training_mib");
  EXPECT_NE(wrong_value("test.ppl@best").find("not chosen by a test metric"), std::string::npos);
}

TEST(ResultNames, GiveOtherNamesToKeysMetricsAndValues) {
  for (const char* name :
       {"model.code", "test.ppl@system.chunk=64 task.length=99", "1-9-1-0", "train.gradient_norm",
        "mega@r_min=0.1", "params", "0.5", "host.peak_mib"})
    EXPECT_EQ(wrong_named(name), "");
  EXPECT_EQ(wrong_named("model.cod"), wrong_parameter("model.cod"));
  EXPECT_EQ(wrong_named("test.acuracy"), wrong_metric("test.acuracy"));
  EXPECT_NE(wrong_named("test.acuracy").find("did you mean 'test.accuracy'?"), std::string::npos);
}

}  // namespace runner
