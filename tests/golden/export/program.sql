-- The data are the table facts(subject, predicate, object), spelled as in Parquet files of isolog; a unary
-- fact has the predicate rdf:type. What is derived goes to the table derived, of the same form, which no
-- rule reads.
CREATE TABLE derived AS
WITH
in_works(a1, a2) AS (
  SELECT subject, object FROM facts WHERE predicate = 'works'
),
in_person(a1) AS (
  SELECT subject FROM facts WHERE predicate IN ('rdf:type', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type') AND object = 'person'
),
in_likes(a1, a2) AS (
  SELECT subject, object FROM facts WHERE predicate = 'likes'
),
in_follows(a1, a2) AS (
  SELECT subject, object FROM facts WHERE predicate = 'follows'
),
term(a1) AS (
  SELECT subject FROM facts UNION SELECT object FROM facts WHERE predicate NOT IN ('rdf:type', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type') OR substr(object, 1, 1) = '"'
),
aux_busy(a1) AS (
  SELECT DISTINCT t1.a1 AS a1 FROM in_works AS t1
),
out_free(a1) AS (
  SELECT DISTINCT t1.a1 AS a1 FROM in_person AS t1 WHERE NOT EXISTS (SELECT 1 FROM aux_busy AS n WHERE n.a1 = t1.a1)
),
values_1(a1, a2) AS (
  SELECT DISTINCT t1.a2 AS a1, t1.a1 AS a2 FROM in_follows AS t1 WHERE t1.a1 <> t1.a2
),
enough_1(a1) AS (
  SELECT a1 FROM values_1 GROUP BY a1 HAVING COUNT(DISTINCT a2) >= 3
),
out_popular(a1) AS (
  SELECT DISTINCT t1.a1 AS a1 FROM in_likes AS t1, enough_1 AS t2 WHERE t1.a2 = '"tea"@en' AND t2.a1 = t1.a1
),
out_stranger(a1, a2) AS (
  SELECT DISTINCT t1.a1 AS a1, t2.a2 AS a2 FROM in_person AS t1, in_follows AS t2 WHERE NOT EXISTS (SELECT 1 FROM in_follows AS n WHERE n.a1 = t1.a1 AND n.a2 = t2.a2)
),
out_near(a1, a2) AS (
  SELECT DISTINCT t1.a1 AS a1, t2.a1 AS a2 FROM in_person AS t1, term AS t2 WHERE t1.a1 <> t2.a1
)
SELECT a1 AS subject, 'rdf:type' AS predicate, 'http://example.org/free' AS object FROM out_free
UNION
SELECT a1 AS subject, 'rdf:type' AS predicate, 'popular' AS object FROM out_popular
UNION
SELECT a1 AS subject, 'stranger' AS predicate, a2 AS object FROM out_stranger
UNION
SELECT a1 AS subject, 'near' AS predicate, a2 AS object FROM out_near;
