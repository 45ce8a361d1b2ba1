-- results.db, version 5: no view calls a function that needs a trusted schema.

ALTER TABLE runs ADD COLUMN point TEXT;  -- the identity without the seed; NULL: not known
UPDATE runs SET point = json_remove(identity, '$.seed') WHERE json_valid(identity);

DROP VIEW seeds;
CREATE VIEW seeds AS
  WITH samples AS (
    SELECT r.point, o.task, o.family, o.code, o.lr, o.metric, o.last AS value
    FROM outcomes o JOIN runs r USING (id) WHERE o.status = 'done' AND r.point IS NOT NULL),
  centred AS (
    SELECT *, avg(value) OVER (PARTITION BY point, metric) AS mean FROM samples)
  SELECT task, family, code, lr, metric, count(value) AS n, mean,
    sqrt(sum((value - mean) * (value - mean)) / (count(value) - 1)) AS stddev,
    min(value) AS lowest, max(value) AS highest, point
  FROM centred GROUP BY point, metric;
