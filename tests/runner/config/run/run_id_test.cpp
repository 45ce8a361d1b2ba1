#include "runner/config/run/run_id.h"

#include <gtest/gtest.h>

#include <clocale>

#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"

namespace runner {
namespace {

void ignore_of_run_id(const std::string&) {}

RunConfig run_id_config_of(const std::string& text) {
  return parse_config(text, "my.toml", {}, ignore_of_run_id);
}
std::string json_of(const std::string& text) { return canonical_json(run_id_config_of(text)); }
std::string id_of(const std::string& text) { return run_id(run_id_config_of(text)); }

const std::string kMqarRun = "task.name = 'mqar'\nmodel.code = '1-9-1-0'\n";

struct Golden {
  const char* text;
  const char* json;
  const char* id;
};

// Never change these: workspaces contain runs with such ids. Each id is the first 32 digits of
// `printf %s JSON | sha256sum`.
constexpr std::array kGolden = {
    Golden{"task.name='mqar'\nmodel.code='1-9-1-0'",
           R"({"model.code":"1-9-1-0","task.name":"mqar"})", "0cacdbc41cb76408e676d331db92a666"},
    Golden{"task.name='mqar'\nmodel.code='1-9-1-0'\nseed=2\noptim.lr=1e-2",
           R"({"model.code":"1-9-1-0","optim.lr":0.01,"seed":2,"task.name":"mqar"})",
           "7a9e3d2fe90fb9e35475dc62be759b3f"},
    Golden{
        "task.name='mqar'\nmodel.code='1-1-1-4@tau=8,k=64,gate=frozen'\nmodel.d=256",
        R"({"model.code":"1-1-1-4@gate=frozen,tau=8","model.d":256,"model.k":64,"task.name":"mqar"})",
        "1b054849cd5601b0c3eed90fe645b015"},
    Golden{"task.name='mqar'\nmodel.family='attention'\nmodel.positions='learned'",
           R"({"model.family":"attention","model.positions":"learned","task.name":"mqar"})",
           "ff1baacdaf32e9c48cd7f96c30054c71"},
    Golden{"task.name='wikitext-103'\nmodel.code='ssm'",
           R"({"model.code":"ssm","task.name":"wikitext-103"})",
           "fc80e089f139850eebd7eb587e3a82e0"},
    Golden{
        "task.name='wikitext-2'\nmodel.code='1-3-1-0'\ntask.tokens='gpt2'\noptim.eps=1e-9",
        R"({"model.code":"1-3-1-0","optim.eps":1e-9,"task.name":"wikitext-2","task.tokens":"gpt2"})",
        "106fd3b46c8f1ebdee20d1a717c224f5"},
    Golden{
        "task.name='mqar'\nmodel.code='1-g-1-0'\n[oscillation.g]\no='exp(-8*softplus(w_d)*sigmoid("
        "p_d))'\n"
        "scale='sqrt(1-o^2)'\ninit.w_d='0.5+0.1*normal'\nrank.p_d=16",
        R"j({"model.code":"1-own-1-0","model.oscillation":{"init":{"w_d":"0.5 + normal/10"},"o":"exp(-8 * sigmoid(p_d) * softplus(w_d))","rank":{"p_d":"16"},"scale":"sqrt(1 - o^2)"},"task.name":"mqar"})j",
        "39b52ab21d84151421e20bfdc4e756b1"},
    Golden{
        "task.name='text'\nmodel.code='ssm'\n"
        "task.content='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
        R"({"model.code":"ssm","task.content":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","task.name":"text"})",
        "5a1e3e875f1ed41b705ebc2ba5a58ee5"},
    Golden{"task.name='lra-listops'\nmodel.code='1-3-1-2'",
           R"({"model.code":"1-3-1-2","task.name":"lra-listops"})",
           "bddaebbd06d54d0f15cddf30f96e429c"},
    // Its second version, which computes recurrences in it, too.
    Golden{"task.name='lra-listops'\nmodel.code='1-3-1-2'\noptim.precision='bf16'",
           R"({"model.code":"1-3-1-2","optim.precision":"bf16 v2","task.name":"lra-listops"})",
           "0f7c0a13ab53cedf47bba26d0f833757"},
    // h3's initial values were corrected; mamba's embedding in skeleton source.
    Golden{"task.name='mqar'\nmodel.system='h3'",
           R"({"model.family":"system","model.system":"h3 v2","task.name":"mqar"})",
           "86097d19c4c093f3d82f1cd01c976870"},
    Golden{"task.name='mqar'\nmodel.system='mamba'",
           R"({"model.family":"system","model.system":"mamba","task.name":"mqar"})",
           "b035c8f99e5ae2f29fa799be0cac29b7"},
    Golden{
        "task.name='mqar'\nmodel.system='mamba'\nmodel.skeleton='source'",
        R"({"model.family":"system","model.skeleton":"source","model.system":"mamba v2","task.name":"mqar"})",
        "8cb153b854b38eb81487b6a2422efd92"},
};

// Values other than the default: all of a choice, or two other numbers.
std::vector<std::string> other_values(const ConfigKey& key) {
  if (key.kind == Kind::kCode) return {"1-3-1-0"};
  if (key.kind == Kind::kText) return {std::string(64, 'f')};
  const std::optional<Value> usual = usual_value(key);
  if (key.kind == Kind::kInteger)
    return {std::to_string(std::get<0>(*usual) + 2), std::to_string(std::get<0>(*usual) * 4 + 4)};
  if (key.kind == Kind::kReal) return {canonical_number(std::get<1>(*usual) / 2 + 0.0078125)};
  std::vector<std::string> words = lcsm::words_of(key.choices);
  if (usual) std::erase(words, std::get<2>(*usual));
  return words;
}

// nullopt if a rule rejects the setting.
std::optional<RunConfig> config_or_none_of_run_id(const std::string& text,
                                                  const std::string& word) {
  try {
    return parse_config(text, "my.toml", {word}, ignore_of_run_id);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST(RunId, NeverChanges) {
  for (const Golden& golden : kGolden) {
    EXPECT_EQ(json_of(golden.text), golden.json);
    EXPECT_EQ(id_of(golden.text), golden.id) << golden.text;
  }
}

TEST(RunId, IgnoresDefaultsAndKeysThatDoNotChangeTheResult) {
  const std::string id = id_of(kMqarRun);
  for (const char* more :
       {"seed = 1", "optim.lr = 0.001", "optim.epochs = 64", "run.device = 'cuda'",
        "run.threads = 3", "task.path = 'here'", "run.log_steps = 99",
        "run.checkpoint_minutes = 1.5", "model.heads = 3", "task.format = 'tokens'",
        "model.code_heads = 1", "model.conv = 0", "model.bonus = 'none'"})
    EXPECT_EQ(id_of(kMqarRun + more), id) << more;
}

// Changes every key: the id changes exactly if the key is semantic and used.
TEST(RunId, ChangesWithEverySemanticKeyAndNoOther) {
  int tried = 0;
  for (const char* text : {"task.name='mqar'\nmodel.code='1-9-1-0'",
                           "task.name='wikitext-2'\nmodel.family='attention'\nmodel.code='ssm'"}) {
    const RunConfig base = run_id_config_of(text);
    for (int i = 0; i < static_cast<int>(kConfigKeys.size()); ++i) {
      const ConfigKey& key = kConfigKeys[static_cast<std::size_t>(i)];
      for (const std::string& value : other_values(key)) {
        const auto config = config_or_none_of_run_id(text, std::string(key.name) + "=" + value);
        const bool unknown = config && config->needs_content();  // of data that is not there
        if (!config || unknown || config->at(i).value == base.at(i).value) continue;
        ++tried;
        EXPECT_EQ(run_id(*config) != run_id(base), key.semantic && config->at(i).used)
            << text << " " << key.name << "=" << value;
      }
    }
  }
  EXPECT_GT(tried, 100);
}

TEST(RunId, IgnoresSpellingOrderAndLocale) {
  const std::string id = id_of(kMqarRun + "optim.lr = 0.0123\nmodel.d = 256");
  EXPECT_EQ(id_of("[model]\nd = 0x100\ncode = \"1-9-1-0@tau=16\"\n[optim]\nlr = 123e-4\n[task]\n"
                  "name = '''mqar'''"),
            id);
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr) {
    EXPECT_EQ(id_of(kMqarRun + "optim.lr = 0.0123\nmodel.d = 256"), id);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST(RunId, DependsOnTheFormulaOfACustomGateAndNotOnItsName) {
  const auto with = [](const std::string& name, const std::string& rest) {
    return id_of("task.name='mqar'\nmodel.code='1-" + name + "-1-0'\n[oscillation." + name + "]\n" +
                 rest);
  };
  const std::string id = with("a", "o = 'sigmoid(p_k + p_d)'");
  EXPECT_EQ(with("b", "o = 'sigmoid(p_d + p_k)'\nhelp = 'the same'\nscale = 1"), id);
  EXPECT_NE(with("a", "o = 'sigmoid(p_d - p_k)'"), id);
  EXPECT_NE(with("a", "o = 'sigmoid(p_k + p_d)'\nrank.p_k = 4"), id);
  EXPECT_NE(with("a", "o = 'sigmoid(p_k + p_d)'\nscale = 'sqrt(1 - o^2)'"), id);
  const std::string learned = with("a", "o = 'sigmoid(w_d)'");
  EXPECT_EQ(with("a", "o = 'sigmoid(w_d)'\ninit.w_d = 'normal * 0.1'"), learned);
  EXPECT_NE(with("a", "o = 'sigmoid(w_d)'\ninit.w_d = '0.2 * normal'"), learned);
}

TEST(RunId, IgnoresARankThatIsTheDefault) {
  const std::string text = "task.name='wikitext-103'\nmodel.d=512\nmodel.code=";
  EXPECT_EQ(id_of(text + "'ssm@r=32'"), id_of(text + "'ssm'"));
  EXPECT_NE(id_of(text + "'ssm@r=16'"), id_of(text + "'ssm'"));
}

TEST(RunId, ParametersAreTheKeysThatItMayDependOn) {
  const auto values =
      parameters_of(run_id_config_of(kMqarRun + "optim.lr = 1e-3\nrun.threads = 3\n"));
  EXPECT_EQ(std::get<std::string>(values.at("model.code")), "1-9-1-0");
  EXPECT_EQ(std::get<std::int64_t>(values.at("task.pairs")), 4);
  EXPECT_EQ(std::get<double>(values.at("optim.lr")), 1e-3);
  // Keys of another family, of another task, of the host, and of a custom gate.
  for (const char* key : {"model.heads", "task.tokens", "run.threads", "model.oscillation"})
    EXPECT_FALSE(values.contains(key)) << key;
}

// Two formulas with one name are two runs, so that tables do not average over them silently.
TEST(RunId, ParametersIncludeACustomFormula) {
  const auto with = [](const std::string& o) {
    return parameters_of(
               run_id_config_of("task.name='mqar'\nmodel.code='1-a-1-0'\n[oscillation.a]\no='" + o +
                                "'"))
        .at("model.oscillation");
  };
  EXPECT_EQ(std::get<std::string>(with("sigmoid(p_k)")), R"j({"o":"sigmoid(p_k)"})j");
  EXPECT_NE(with("sigmoid(p_k)"), with("sigmoid(p_k)^2"));
}

TEST(RunId, AGateIsTheSameReadFromAParameter) {
  const auto gate_with = [](const std::string& o) {
    return std::get<std::string>(
        parameters_of(
            run_id_config_of("task.name='mqar'\nmodel.code='1-a-1-0'\n[oscillation.a]\no='" + o +
                             "'\n"))
            .at("model.oscillation"));
  };
  const std::string floored = gate_with("sigmoid(w_d) + (1 - sigmoid(w_d)) * sigmoid(p_d)");
  EXPECT_EQ(gate_text_of(oscillation_of("a", floored)), floored);
  const RunConfig config = run_id_config_of(
      "task.name='mqar'\nmodel.code='1-a-1-0'\n[oscillation.a]\no='rotate(w_kd)*sigmoid(p_d)'\n"
      "scale='sigmoid(w_d)'\nread='complex(w_kd3, w_kd4)'\ninit.w_d='normal'\nrank.p_d='16'\n");
  const std::string gate = std::get<std::string>(parameters_of(config).at("model.oscillation"));
  for (const char* part : {"scale", "read", "init", "rank"})
    EXPECT_NE(gate.find(part), std::string::npos) << gate;
  EXPECT_EQ(gate_text_of(oscillation_of("a", gate)), gate);
}

TEST(RunId, OfATextNeedsItsContent) {
  const std::string text = "task.name='text'\nmodel.code='ssm'\n";
  EXPECT_THROW(id_of(text), std::invalid_argument);
  RunConfig config = run_id_config_of(text);
  config.set_content(std::string(64, 'a'));
  EXPECT_EQ(run_id(config), id_of(text + "task.content='" + std::string(64, 'a') + "'"));
}

}  // namespace runner
