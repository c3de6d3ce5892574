import type pg from "pg";
import { deadAfter } from "./presence.ts";

interface Question {
  subject: string;
  places: number;
  /** What runs already, and so counts whatever else does. */
  running: number;
  /** How many places the process wants to hold, those that run included. */
  want: number;
}

/** The places that other living processes hold. */
const others = `
  from jsonb_each_text(l.held) as of(process, places)
  join gateway_processes p on p.id = of.process and p.seen_at > now() - interval '${deadAfter}'
  where of.process <> $2`;

const text = `
  insert into limit_slots as l (subject, places, wanted, running, held)
  select subject, places, want, running, jsonb_build_object($2::text, greatest(running, least(want, places)))
  from json_to_recordset($1) as asked (subject text, places int, want int, running int)
  order by subject
  on conflict (subject) do update set
    places = excluded.places, wanted = excluded.wanted, running = excluded.running,
    held = (select coalesce(jsonb_object_agg(of.process, of.places::int), '{}') ${others})
      || jsonb_build_object($2::text, greatest(excluded.running, least(excluded.wanted,
        excluded.places - (select coalesce(sum(of.places::int), 0) ${others}))))
  returning subject, (held ->> $2)::int as held,
    (select coalesce(sum(value::int), 0) from jsonb_each_text(held))::int - (held ->> $2)::int as others`;

/** Sets how many places the process holds of each subject, as far as the others leave them. */
export async function leaseSlots(
  pool: pg.Pool,
  processId: string,
  questions: Question[],
): Promise<Map<string, { held: number; others: number }>> {
  const { rows } = await pool.query<{ subject: string; held: number; others: number }>({
    name: "lease slots",
    text,
    values: [JSON.stringify(questions), processId],
  });
  return new Map(rows.map((row) => [row.subject, row]));
}
