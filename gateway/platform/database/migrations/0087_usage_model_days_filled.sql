-- gatehouse: no transaction
-- gatehouse: repeat
-- The days whose sums are older than the triggers of 0086, one at a time.
WITH next AS (SELECT min("day") AS "day" FROM "usage_sums" WHERE "day" > $1)
SELECT "day" AS cursor, CASE WHEN "day" IS NULL THEN 0 ELSE "usage_model_day_fill"("day") END AS rows FROM next;
