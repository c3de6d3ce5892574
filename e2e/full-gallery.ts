import { firstIdAt, newId, randomLengthOfId, timeOfId } from "../contract/ids.ts";
import { withDatabase } from "./database.ts";
import type { GatewayApi } from "./gateway-api.ts";
import type { Stack } from "./stack.ts";

/** How many of the files have different content. */
const pictures = 12;
const maxAtOnce = 4;
const everyMs = 1_000;
const runPrefix = "gen_full";

/** Adds `rows` older files to the owner's gallery, which repeat a few pictures. */
export async function fillGallery(api: GatewayApi, stack: Stack, rows: number): Promise<void> {
  for (let made = 0; made < pictures; made += maxAtOnce)
    await api.post("/images/generations", {
      model: "svc/img-gen-a-1",
      prompt: `a harbour, number ${made}`,
      size: "1024x1024",
      n: maxAtOnce,
    });
  const newest = timeOfId(newId("output"));
  const ids = Array.from({ length: rows }, (_, row) => {
    const place = String(row).padStart(randomLengthOfId, "0");
    return firstIdAt("output", newest - (row + 1) * everyMs).slice(0, -randomLengthOfId) + place;
  });
  await withDatabase(stack, (client) =>
    client.query(
      `insert into outputs (id, account_id, run_id, position, model, sha256, content_type, size_bytes, key, api_type,
         sandbox, created_at, expires_at)
       select given.id, account_id, '${runPrefix}' || given.row, 1, model, sha256, content_type, size_bytes, key, api_type,
         sandbox, now() - given.row * interval '1 second', now() + interval '1 hour'
       from unnest($1::text[]) with ordinality as given (id, row)
       join (select *, row_number() over (order by id desc) - 1 as place from outputs
         where model = 'svc/img-gen-a-1' and key is not null order by id desc limit ${pictures}) made
         on made.place = given.row % ${pictures}`,
      [ids],
    ),
  );
}

/** Removes the added files again. */
export function emptyGallery(stack: Stack): Promise<unknown> {
  return withDatabase(stack, (client) =>
    client.query(`delete from outputs where run_id like '${runPrefix}%'`),
  );
}
