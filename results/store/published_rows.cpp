#include "results/store/published_rows.h"

#include "results/files/checksum.h"
#include "results/published/published.h"

namespace results {
namespace {

std::int64_t checksum_of_all() {
  std::uint32_t crc = 0;
  for (const PublishedValue& v : published_values())
    for (const std::string& text : {v.paper, v.table, v.row, v.task, v.metric, v.split,
                                    std::to_string(v.value), v.params_m, v.note, v.read_in})
      crc = crc32(text + "\n", crc);
  return crc;
}

}  // namespace

void store_published(Database& database) {
  const std::int64_t crc = checksum_of_all();
  if (database.integer("SELECT crc FROM brought WHERE what = 'published'") == crc) return;
  Transaction transaction(database);
  database.run("DELETE FROM published");
  Statement insert(database, "INSERT INTO published VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const PublishedValue& v : published_values()) {
    const std::string name = v.paper + "/" + v.table, metric = v.split + "." + v.metric;
    insert.once(name, v.row, v.task, metric, v.value, v.params_m, v.note, v.read_in);
  }
  database.run("REPLACE INTO brought VALUES ('published', " + std::to_string(crc) + ")");
  transaction.commit();
}

}  // namespace results
