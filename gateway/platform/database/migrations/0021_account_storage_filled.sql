-- gatehouse: no transaction
-- gatehouse: repeat
-- The triggers of 0020 add the change to the account's total.
WITH batch AS (
	SELECT "id" FROM "predictions"
	WHERE "id" > $1 AND "stored_bytes" IS NULL AND "data_removed_at" IS NULL AND ("media" <> '[]' OR "outputs" IS NOT NULL)
	ORDER BY "id" LIMIT 1000
), filled AS (
	UPDATE "predictions" p SET "stored_bytes" = "stored_bytes_of"(p."media") + "stored_bytes_of"(p."outputs")
	FROM batch WHERE p."id" = batch."id"
)
SELECT max("id") AS cursor, count(*) AS rows FROM batch;
