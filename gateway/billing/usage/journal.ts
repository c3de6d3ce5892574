import { randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as afterSockets } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { CostReason } from "#contract/money/constants.ts";
import { decimalOf, decimalText } from "#contract/money/decimal.ts";
import type { Priced, PricedSide } from "#gateway/billing/prices/price-lines.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import { seenLately } from "#gateway/platform/limits/presence.ts";
import { extraUnits, type SettledRun, type UsageLine } from "./lines.ts";

const journalFolder = "settled";

/** A full disk fails every append; the warning is logged at most this often. */
const warnEveryMs = 60_000;

/** The end of a sync run: its usage, if any, and whether it had reservations, in units and in money. */
export interface Settlement {
  runId: string;
  usage: SettledRun | null;
  reserved: boolean;
  reservedMoney?: boolean;
}

type MeteredRun = Settlement & { usage: SettledRun };

/** A journal file. Each process has two. */
interface Segment {
  file: string;
  fd: number;
  /** Entries that the database may not have yet. */
  unwritten: number;
}

/** The file that contains a run until the database has it. */
export type JournalEntry = Segment;

/**
 * Usage and cost of sync runs, in files of this process, until the database has them. An entry is appended
 * before the run is answered, without waiting for the disk: it survives the death of the process, but not
 * that of the machine. While the entries of one file are written to the database, new ones go to the other; a
 * file whose entries are all written is emptied. So the files contain no more than what waits in memory, plus
 * what ends during one write.
 */
export class Journal {
  private readonly folder: string;
  private readonly log: Logger;
  private current: Segment;
  private other: Segment;
  private warnedAt = Number.NEGATIVE_INFINITY;
  /** Entries that are about to be written together. */
  private gathered: { texts: string; count: number; appended: Promise<JournalEntry | null> } | null = null;

  constructor(dataDir: string, log: Logger) {
    this.folder = path.join(dataDir, journalFolder);
    this.log = log;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.current = openSegment(this.folder);
    this.other = openSegment(this.folder);
  }

  /**
   * Returns null if the disk rejects writes: until the database has the run, the run is then only in memory.
   */
  append(settlement: MeteredRun): JournalEntry | null {
    return this.write(entryText(settlement), 1);
  }

  /**
   * The same together with all others of this turn of the event loop: one write takes as long as making several
   * entries.
   */
  appendSoon(settlement: MeteredRun): Promise<JournalEntry | null> {
    this.gathered ??= { texts: "", count: 0, appended: this.writeGathered() };
    this.gathered.texts += entryText(settlement);
    this.gathered.count += 1;
    return this.gathered.appended;
  }

  private async writeGathered(): Promise<JournalEntry | null> {
    await afterSockets();
    const { texts = "", count = 0 } = this.gathered ?? {};
    this.gathered = null;
    return this.write(texts, count);
  }

  private write(texts: string, count: number): JournalEntry | null {
    try {
      const bytes = Buffer.from(texts);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.current.fd, bytes, at);
    } catch (error) {
      if (performance.now() - this.warnedAt > warnEveryMs) {
        this.warnedAt = performance.now();
        this.log.error(
          { err: error, folder: this.folder },
          "runs cannot be written to the data folder: those that the database does not have yet are lost if this process is killed",
        );
      }
      return null;
    }
    this.current.unwritten += count;
    return this.current;
  }

  /**
   * Call it before entries are written to the database: runs that end meanwhile go to the other file, if that
   * is free.
   */
  turn(): void {
    if (this.current.unwritten > 0 && this.other.unwritten === 0)
      [this.current, this.other] = [this.other, this.current];
    // A process that was suspended for long may have been considered dead, and its files replayed.
    if (fstatSync(this.current.fd).nlink > 0) return;
    closeSync(this.current.fd);
    this.current.fd = openSync(this.current.file, "a", 0o600);
  }

  /** Call when the database has the entry, or rejected it permanently. */
  written(entry: JournalEntry): void {
    entry.unwritten -= 1;
    if (entry.unwritten === 0) ftruncateSync(entry.fd);
  }

  /** Entries that are not in the database yet stay in the file, for the next process on this data folder. */
  close(): void {
    for (const { fd, file, unwritten } of [this.current, this.other]) {
      closeSync(fd);
      if (unwritten === 0) rmSync(file, { force: true });
    }
  }
}

function openSegment(folder: string): Segment {
  const file = path.join(folder, newName());
  return { file, fd: openSync(file, "a", 0o600), unwritten: 0 };
}

const mark = "~";

function newName(): string {
  return `${instanceId}${mark}${randomBytes(4).toString("hex")}.jsonl`;
}

/** The process that owns a file. */
function ownerOf(name: string): string {
  return name.slice(0, name.lastIndexOf(mark));
}

/** How often a process looks for files of dead processes. */
const lookEveryMs = 10_000;
/** Settlements per statement. */
const replayedAtOnce = 500;

interface Replaying {
  dataDir: string;
  pool: pg.Pool;
  log: Logger;
  /** Writes the runs that the database lacks. */
  write(settlements: Settlement[]): Promise<void>;
}

/**
 * Writes the runs that dead processes left in the data folder to the database, now and whenever another one
 * dies, and removes their files. A process takes a file by renaming it; if two should write the same run, it
 * counts once, by its id. Files of living processes are left alone. A process is dead if it signed off or was
 * removed from the registered ones, or if it was not seen recently, twice in a row, because after an outage
 * of the database all processes are seen again only one after the other.
 */
export async function replayJournals(sources: Replaying): Promise<{ stop(): void }> {
  const { dataDir, pool, log } = sources;
  const folder = path.join(dataDir, journalFolder);
  let missing: ReadonlySet<string> | null = null;
  const look = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => ownerOf(name) !== instanceId);
    const owners = [...new Set(names.map(ownerOf))];
    const seen = owners.length > 0 ? await seenLately(pool, owners) : new Map<string, boolean>();
    const isDead = (owner: string) =>
      missing === null ? !seen.has(owner) : missing.has(owner) && seen.get(owner) !== true;
    for (const name of names) if (isDead(ownerOf(name))) await replay(folder, name, sources);
    missing = new Set(owners.filter((owner) => seen.get(owner) !== true));
  };
  let looking = Promise.resolve();
  const lookAgain = (): Promise<void> => {
    looking = looking.then(look).catch((error: unknown) => {
      missing = new Set();
      log.warn({ err: error, folder }, "what dead processes left could not be written yet, will retry");
    });
    return looking;
  };
  await lookAgain();
  const timer = setInterval(lookAgain, lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function replay(folder: string, name: string, { log, write }: Replaying): Promise<void> {
  const left = path.join(folder, name);
  const taken = path.join(folder, newName());
  try {
    await rename(left, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // Another process has renamed the file first.
    throw error;
  }
  try {
    let runs = 0;
    let unreadable = 0;
    let settlements: Settlement[] = [];
    const writeAll = async (): Promise<void> => {
      if (settlements.length > 0) await write(settlements);
      runs += settlements.length;
      settlements = [];
    };
    for await (const line of createInterface({ input: createReadStream(taken) })) {
      if (line === "") continue;
      const settlement = readEntry(line);
      if (settlement) settlements.push(settlement);
      else unreadable += 1;
      if (settlements.length === replayedAtOnce) await writeAll();
    }
    await writeAll();
    await rm(taken);
    if (runs + unreadable > 0)
      log.warn(
        { process: ownerOf(name), runs, unreadable },
        "wrote the runs that a dead process had answered",
      );
  } catch (error) {
    await rename(taken, left);
    throw error;
  }
}

/**
 * An entry in the file: a list, because the names of its parts would take as long to write as the rest.
 * Amounts are exact decimals. The newline comes first, so that nothing is appended to a cut entry.
 */
type Entry = [
  run: string,
  account: string,
  key: string | null,
  user: string | null,
  model: string,
  provider: string,
  region: string,
  metadata: SettledRun["metadata"],
  batch: string | null,
  lines: [kind: string, unit: UsageLine["unit"], quantity: number][],
  cost: EntrySide | null,
  /** `same`: the charge equals the cost. */
  charge: EntrySide | "same" | null,
  markup: string | null,
  reason: CostReason | null,
  reserved: boolean,
  reservedMoney: boolean,
  /** Missing in entries of earlier releases, as `saved` is. */
  upstreamKey?: string,
];
type EntrySide = [amount: string, priceId: string, component: number | null, saved?: string][];

function entryText({ usage, reserved, reservedMoney = false }: MeteredRun): string {
  const { priced, lines } = usage;
  const entry: Entry = [
    usage.runId,
    usage.accountId,
    usage.keyId,
    usage.userId,
    usage.model,
    usage.provider,
    usage.region,
    usage.metadata,
    usage.batchId,
    lines.map(({ kind, unit, quantity }) => [kind, unit, quantity]),
    entrySide(priced.cost),
    priced.charge !== null && priced.charge === priced.cost ? "same" : entrySide(priced.charge),
    priced.markupId,
    priced.reason,
    reserved,
    reservedMoney,
  ];
  if (usage.upstreamKey !== undefined) entry.push(usage.upstreamKey);
  return `\n${JSON.stringify(entry)}`;
}

function entrySide(side: PricedSide | null): EntrySide | null {
  if (side === null) return null;
  return side.lines.map(({ amount, priceId, component, saved }) =>
    saved === null
      ? [decimalText(amount), priceId, component]
      : [decimalText(amount), priceId, component, decimalText(saved)],
  );
}

/** Null for an entry that was cut, because the disk was full or the process died while writing. */
function readEntry(line: string): Settlement | null {
  let entry: Entry;
  try {
    entry = JSON.parse(line) as Entry;
  } catch {
    return null;
  }
  const [runId, accountId, keyId, userId, model, provider, region, metadata, batchId, ...counted] = entry;
  const [lines, costOfRun, charge, markupId, reason, reserved, reservedMoney, upstreamKey] = counted;
  const cost = sideOf(costOfRun);
  const priced: Priced = { cost, charge: charge === "same" ? cost : sideOf(charge), markupId, reason };
  const used = lines.map(([kind, unit, quantity]) => ({ kind, unit, quantity, isExtra: isExtraUnit(unit) }));
  const where = { runId, accountId, keyId, userId, model, provider, region, metadata, batchId, upstreamKey };
  return { runId, usage: { ...where, lines: used, priced }, reserved, reservedMoney };
}

function isExtraUnit(unit: string): boolean {
  return (extraUnits as readonly string[]).includes(unit);
}

function sideOf(side: EntrySide | null): PricedSide | null {
  if (side === null) return null;
  const lines = side.map(([amount, priceId, component, saved]) => ({
    amount: decimalOf(amount),
    priceId,
    component,
    saved: saved === undefined ? null : decimalOf(saved),
  }));
  return { amount: lines.reduce((sum, { amount }) => sum + amount, 0n), lines };
}
