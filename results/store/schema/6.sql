-- results.db, version 6: the views tell gates of one name apart.

DROP VIEW seeds;
DROP VIEW outcomes;
DROP VIEW overview;

CREATE VIEW overview AS
  SELECT id, state AS status, steps, attempts,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'task.name') AS task,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.family') AS family,
    coalesce((SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.code'),
      (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.family')) AS code,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'optim.lr') AS lr,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'seed') AS seed,
    (SELECT sum(ended - started) FROM attempts a WHERE a.run = r.run) AS seconds,
    message,
    (SELECT group_concat(tag, ', ') FROM (SELECT tag FROM tags t WHERE t.run = r.run ORDER BY tag))
      AS tags,
    (SELECT group_concat(text, char(10)) FROM (SELECT text FROM notes n WHERE n.run = r.run
      ORDER BY name)) AS note,
    (SELECT value FROM parameters p WHERE p.run = r.run AND key = 'model.oscillation')
      AS oscillation
  FROM runs r;

CREATE VIEW outcomes AS
  SELECT o.id, o.status, o.task, o.family, o.code, o.lr, o.seed, s.metric,
    s.last, s.last_step, s.lowest, s.lowest_step, s.highest, s.highest_step, o.oscillation
  FROM overview o JOIN runs USING (id) JOIN summaries s USING (run);

CREATE VIEW seeds AS
  WITH samples AS (
    SELECT r.point, o.task, o.family, o.code, o.lr, o.metric, o.last AS value, o.oscillation
    FROM outcomes o JOIN runs r USING (id) WHERE o.status = 'done' AND r.point IS NOT NULL),
  centred AS (
    SELECT *, avg(value) OVER (PARTITION BY point, metric) AS mean FROM samples)
  SELECT task, family, code, lr, metric, count(value) AS n, mean,
    sqrt(sum((value - mean) * (value - mean)) / (count(value) - 1)) AS stddev,
    min(value) AS lowest, max(value) AS highest, point, oscillation
  FROM centred GROUP BY point, metric;
