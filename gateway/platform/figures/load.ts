import type { Logger } from "pino";
import type { PlatformContext } from "#gateway/platform/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import { Slots } from "#gateway/platform/core/slots.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { Database } from "#gateway/platform/database/database.ts";

/*
 * Who loads the system now. Each process counts in memory what it handled in the current minute, by account, key,
 * model, provider, region and route, and writes that down every few seconds. Readers add the processes up.
 */

/** What was handled, and for whom. A label that does not apply is missing. */
export interface LoadLabels {
  /** Empty: nobody who sent a credential, e.g. a signed link. */
  accountId: string;
  /** The key, or the signed-in member. */
  keyId?: string;
  model?: string;
  provider?: string;
  region?: string;
  /** The route of a request, the kind of operation of a run, or `deliveryLoad`. */
  operation?: string;
}

export const deliveryLoad = "webhook delivery";

interface Amounts {
  bytesIn?: number | null;
  bytesOut?: number | null;
}

/** Amounts of one set of labels. */
export interface Load {
  requests: number;
  bytesIn: number;
  bytesOut: number;
  /** See `shareProcessorTime`. */
  processorMs: number;
  /** How many places of operations are in use. */
  running: number;
}

export type LoadRow = Load & Required<LoadLabels>;

/** The label of rows that were added up because there were too many. */
export const otherLoad = "*";

interface Bounds {
  /** Further rows are added up by account. */
  detailed: number;
  /** Further rows of accounts are added up in one. */
  all: number;
}
const keptInMemory: Bounds = { detailed: 1_000, all: 2_000 };
const written: Bounds = { detailed: 200, all: 300 };

const minuteMs = 60_000;
const writeEveryMs = 5_000;
/** A reader gets figures of its own process that are at most this old, so that frequent reads cause few writes. */
const readerFreshMs = 1_000;
/** Handling this many bytes takes about as long as handling a small request. */
const bytesLikeRequest = 65_536;

interface Counted extends LoadRow {
  /** What was counted since the processor time was last shared out. */
  weight: number;
}

/** The work of this process that holds places. Its labels are read when the load is written. */
const inPlaces = new Slots<() => LoadLabels>();
let hadRunning = false;
let minute = minuteOf(clock.now());
let counted = new Map<string, Counted>();
/** The row that was counted last, because consecutive requests often have the same labels. */
let last: Counted | null = null;
let processor = process.cpuUsage();
let writtenAt = Number.NEGATIVE_INFINITY;

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

/** Counts what this process has handled. */
export function countLoad(load: LoadLabels & Amounts): void {
  const row = last && isOf(last, load) ? last : rowOf(counted, load, keptInMemory);
  last = row;
  const { bytesIn, bytesOut } = load;
  row.requests += 1;
  row.bytesIn += bytesIn ?? 0;
  row.bytesOut += bytesOut ?? 0;
  row.weight += 1 + ((bytesIn ?? 0) + (bytesOut ?? 0)) / bytesLikeRequest;
}

/** Counts work as running until the returned function is called. */
export function countRunning(read: () => LoadLabels): () => void {
  return inPlaces.add(read);
}

function rowOf(rows: Map<string, Counted>, labels: LoadLabels, bounds: Bounds): Counted {
  const { accountId, keyId = "", model = "", provider = "", region = "", operation = "" } = labels;
  const name = `${accountId}\n${keyId}\n${model}\n${provider}\n${region}\n${operation}`;
  const known = rows.get(name);
  if (known) return known;
  if (rows.size >= bounds.detailed && keyId !== otherLoad) return rowOf(rows, othersOf(accountId), bounds);
  if (rows.size >= bounds.all && accountId !== otherLoad) return rowOf(rows, othersOf(otherLoad), bounds);
  const row = { accountId, keyId, model, provider, region, operation, ...noLoad(), weight: 0 };
  rows.set(name, row);
  return row;
}

function isOf(row: Counted, labels: LoadLabels): boolean {
  const { accountId, keyId = "", model = "", provider = "", region = "", operation = "" } = labels;
  return (
    row.accountId === accountId &&
    row.keyId === keyId &&
    row.model === model &&
    row.provider === provider &&
    row.region === region &&
    row.operation === operation
  );
}

function othersOf(accountId: string): LoadLabels {
  const other = otherLoad;
  return { accountId, keyId: other, model: other, provider: other, region: other, operation: other };
}

export function noLoad(): Load {
  return { requests: 0, bytesIn: 0, bytesOut: 0, processorMs: 0, running: 0 };
}

export function addLoad(into: Load, from: Load): void {
  into.requests += from.requests;
  into.bytesIn += from.bytesIn;
  into.bytesOut += from.bytesOut;
  into.processorMs += from.processorMs;
  into.running += from.running;
}

/**
 * An estimate: divides the processor time that this process used since the last call among what it handled in
 * that time, one part for each request, run or delivery and one more for each 64 kB. Returns false if it handled
 * nothing.
 */
function shareProcessorTime(): boolean {
  const used = process.cpuUsage(processor);
  processor = process.cpuUsage();
  const rows = [...counted.values()];
  const whole = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return false;
  const ms = (used.user + used.system) / 1000;
  for (const row of rows) {
    row.processorMs += (ms * row.weight) / whole;
    row.weight = 0;
  }
  return true;
}

/** Writes down every few seconds what this process handled. Call the returned function to stop. */
export function keepLoad(database: Pick<Database, "pool">, log: Logger): { close(): void } {
  const timer = setInterval(() => {
    writeLoad(database).catch((error: unknown) =>
      log.debug({ err: error }, "what this process handled could not be written down"),
    );
  }, writeEveryMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Writes down what this process handled in this minute, unless nothing changed. */
async function writeLoad({ pool }: Pick<Database, "pool">): Promise<void> {
  writtenAt = performance.now();
  const hasChanged = shareProcessorTime();
  const running = inPlaces.items().map((read) => read());
  const isWritten = hasChanged || running.length > 0 || hadRunning;
  const [at, rows] = [minute, isWritten ? largestRows(running) : []];
  hadRunning = running.length > 0;
  if (minuteOf(clock.now()) !== minute) {
    minute = minuteOf(clock.now());
    counted = new Map();
    last = null;
  }
  if (!isWritten) return;
  await pool.query({
    name: "write load",
    text: `insert into process_loads (process_id, minute, rows) values ($1, $2, $3)
      on conflict (process_id, minute) do update set rows = excluded.rows, written_at = now()`,
    values: [instanceId, new Date(at), JSON.stringify(rows.map(asWritten))],
  });
}

/** The rows of this minute and what runs. The small ones are added up, so that each process writes little. */
function largestRows(running: readonly LoadLabels[]): Counted[] {
  const all = new Map<string, Counted>();
  for (const row of counted.values()) addLoad(rowOf(all, row, keptInMemory), row);
  for (const labels of running) rowOf(all, labels, keptInMemory).running += 1;
  const sorted = [...all.values()].sort(
    (one, other) => other.running - one.running || other.processorMs - one.processorMs,
  );
  const largest = new Map<string, Counted>();
  for (const row of sorted) addLoad(rowOf(largest, row, written), row);
  return [...largest.values()];
}

type WrittenRow = [string, string, string, string, string, string, number, number, number, number, number];

function asWritten(row: LoadRow): WrittenRow {
  const { accountId, keyId, model, provider, region, operation } = row;
  const { requests, bytesIn, bytesOut, processorMs, running } = row;
  return [
    ...([accountId, keyId, model, provider, region, operation] as const),
    ...([requests, bytesIn, bytesOut, Math.round(processorMs * 10) / 10, running] as const),
  ];
}

/** Writes down the load of this process for a reader, unless that was done just now. */
export async function refreshLoad(database: Pick<Database, "pool">): Promise<void> {
  if (performance.now() - writtenAt > readerFreshMs) await writeLoad(database);
}

/** A process that wrote nothing for this long runs nothing. */
const currentFor = "15 seconds";

/** What all processes handled in the last minutes and in the current one, and what they run now; of one account or of all. */
export async function readLoad(
  { pool }: Pick<Database, "pool">,
  minutes: number,
  accountId: string | null = null,
): Promise<(LoadRow & { processId: string; minute: Date })[]> {
  const { rows } = await pool.query<{
    process_id: string;
    minute: Date;
    rows: WrittenRow[];
    is_current: boolean;
  }>(
    `select process_id, minute, written_at > now() - interval '${currentFor}'
       and minute = max(minute) over (partition by process_id) as is_current,
       case when $2::text is null then rows
         else jsonb_path_query_array(rows, 'strict $[*] ? (@[0] == $account)', jsonb_build_object('account', $2::text)) end as rows
     from process_loads where written_at > now() - make_interval(mins => $1)`,
    [minutes, accountId],
  );
  return rows.flatMap(({ process_id: processId, minute, rows: of, is_current: isCurrent }) =>
    of.map(
      ([
        accountId,
        keyId,
        model,
        provider,
        region,
        operation,
        requests,
        bytesIn,
        bytesOut,
        processorMs,
        running,
      ]) => ({
        ...{ processId, minute, accountId, keyId, model, provider, region, operation },
        ...{ requests, bytesIn, bytesOut, processorMs, running: isCurrent ? running : 0 },
      }),
    ),
  );
}

/** Removes what nobody reads any more. */
export const loadSweep: Sweep = {
  kind: "process_loads",
  async run({ database }: PlatformContext) {
    await database.pool.query("delete from process_loads where written_at < now() - interval '1 hour'");
    return false;
  },
  oldestDue: () => null,
};
