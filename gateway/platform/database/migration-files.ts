import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** One statement, or a few, between two `--> statement-breakpoint`. */
export interface MigrationStep {
  sql: string;
  /** Repeated until it changes no more rows: see CONTRIBUTING.md, "Migrations". */
  repeats: boolean;
}

/** One SQL file of the migrations folder, written by drizzle-kit and edited by hand. */
export interface Migration {
  tag: string;
  /** Milliseconds; names the migration in the history table, as drizzle's own migrator does. */
  when: number;
  /** sha256 of the file, hex. */
  hash: string;
  /** Whether all steps run in one transaction; the default. */
  transactional: boolean;
  /** A release that does not know this migration cannot read the schema from here on; null when all before can. */
  readersNeed: string | null;
  steps: MigrationStep[];
}

const breakpoint = "--> statement-breakpoint";
const directives = /^-- gatehouse: *(.*?) *$/gm;
const readersNeedPrefix = "readers need ";

/** The migrations of a folder, in the order of drizzle's journal. Throws for an unknown or misplaced directive. */
export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const known = new Set<string>();
  return journal.entries.map(({ tag, when }) => {
    known.add(tag);
    const text = readFileSync(path.join(folder, `${tag}.sql`), "utf8");
    const migration = parse(tag, text);
    if (migration.readersNeed !== null && !known.has(migration.readersNeed))
      throw new Error(`${tag}.sql: readers cannot need ${migration.readersNeed}: there is no such migration`);
    return { tag, when, hash: createHash("sha256").update(text).digest("hex"), ...migration };
  });
}

function parse(tag: string, text: string): Pick<Migration, "transactional" | "readersNeed" | "steps"> {
  const transactional = !directivesOf(text).includes("no transaction");
  const steps = text.split(breakpoint).map((sql) => ({ sql, repeats: directivesOf(sql).includes("repeat") }));
  let readersNeed: string | null = null;
  for (const name of directivesOf(text)) {
    if (name.startsWith(readersNeedPrefix)) readersNeed = name.slice(readersNeedPrefix.length);
    else if (name !== "no transaction" && name !== "repeat")
      throw new Error(`${tag}.sql: unknown directive "-- gatehouse: ${name}"`);
  }
  if (transactional && steps.some((step) => step.repeats))
    throw new Error(`${tag}.sql: only a file with "-- gatehouse: no transaction" can repeat a step`);
  return { transactional, readersNeed, steps: steps.filter(({ sql }) => sql.trim() !== "") };
}

function directivesOf(text: string): string[] {
  return [...text.matchAll(directives)].map(([, name = ""]) => name);
}
