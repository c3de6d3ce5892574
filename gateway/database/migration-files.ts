import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** One statement, or a few, between two `--> statement-breakpoint`. */
export interface MigrationStep {
  sql: string;
  /** Run again and again until it changes no more rows: see CONTRIBUTING.md, "Migrations". */
  repeats: boolean;
}

/** One SQL file of the migrations folder, as drizzle-kit wrote it and we edited it. */
export interface Migration {
  tag: string;
  /** Milliseconds; names the migration in the history table, as drizzle's own migrator does. */
  when: number;
  /** sha256 of the file, hex. */
  hash: string;
  /** Whether all steps are one transaction, as they are unless the file says otherwise. */
  transactional: boolean;
  steps: MigrationStep[];
}

const breakpoint = "--> statement-breakpoint";
const directives = /^-- gatehouse: *(.*?) *$/gm;

/** The migrations of a folder, in the order of drizzle's journal. Throws when a file says what no migration can do. */
export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(path.join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(path.join(folder, `${tag}.sql`), "utf8");
    return { tag, when, hash: createHash("sha256").update(text).digest("hex"), ...parse(tag, text) };
  });
}

function parse(tag: string, text: string): Pick<Migration, "transactional" | "steps"> {
  const transactional = !directivesOf(text).includes("no transaction");
  const steps = text.split(breakpoint).map((sql) => ({ sql, repeats: directivesOf(sql).includes("repeat") }));
  for (const name of directivesOf(text))
    if (name !== "no transaction" && name !== "repeat")
      throw new Error(`${tag}.sql: there is no "-- gatehouse: ${name}"`);
  if (transactional && steps.some((step) => step.repeats))
    throw new Error(`${tag}.sql: only a file with "-- gatehouse: no transaction" can repeat a step`);
  return { transactional, steps: steps.filter(({ sql }) => sql.trim() !== "") };
}

function directivesOf(text: string): string[] {
  return [...text.matchAll(directives)].map(([, name = ""]) => name);
}
