-- results.db, version 3: which scale and settings a run was a point of; spread over seeds.

ALTER TABLE points ADD COLUMN scale TEXT NOT NULL DEFAULT '';     -- 'paper', 'laptop'
ALTER TABLE points ADD COLUMN settings TEXT NOT NULL DEFAULT '';  -- of --set, separated by blanks
UPDATE files SET marks = 0;                                       -- read them again

DROP VIEW members;
CREATE VIEW members AS
  SELECT sweep, id, scale, settings FROM points JOIN runs USING (run);

-- Runs that are done and differ in nothing but the seed.
CREATE VIEW seeds AS
  WITH samples AS (
    SELECT json_remove(r.identity, '$.seed') AS point, o.task, o.family, o.code, o.lr, o.metric,
      o.last AS value
    FROM outcomes o JOIN runs r USING (id) WHERE o.status = 'done' AND json_valid(r.identity)),
  centred AS (
    SELECT *, avg(value) OVER (PARTITION BY point, metric) AS mean FROM samples)
  SELECT task, family, code, lr, metric, count(value) AS n, mean,
    sqrt(sum((value - mean) * (value - mean)) / (count(value) - 1)) AS stddev,
    min(value) AS lowest, max(value) AS highest, point
  FROM centred GROUP BY point, metric;
