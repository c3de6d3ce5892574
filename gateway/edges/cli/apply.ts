import { readFile } from "node:fs/promises";
import { fileLimits } from "#contract/operator/constants.ts";
import type { FileChange, ProvidersFileImported } from "#contract/operator/file.ts";
import { nameMissing, printable, type StandaloneCommand, UsageError } from "./command.ts";
import { askGateway, type Where, whereOfOperator, whereOptions } from "./where.ts";

/**
 * `gatehouse apply`: creates or changes the providers, models, routes, aliases and prices of a running gateway
 * as a file describes.
 */
export const apply: StandaloneCommand = {
  usage: `apply <file> [--dry-run] [--key <operator's key>] [--gateway <url>]

  <file>           a providers file, as the console exports it (Instance, Providers, menu, Export as file…)
  --dry-run        say each change, and change nothing
  --key <key>      an account key with the scope operator (default: GATEHOUSE_API_KEY)
  --gateway <url>  ends in /v1 (default: this machine's gateway)

What the file names is added, or changed to what it says; what it does not name stays. A file that would lose a stored key, or of
which anything is wrong, changes nothing. All of it is one change, which the console can undo. Applying a file twice changes nothing more.
Keys that the file names as variables are read from this machine's environment where it has them, else from the gateway's.

It ends with 0 when the gateway is as the file says (or, with --dry-run, could be), with 1 when nothing was changed because something is
wrong, with 2 when the command itself is wrong. The last line is "Nothing to change." or counts what was added and changed.`,
  argument: "file",
  options: { "dry-run": { type: "boolean" }, ...whereOptions },
  prepare(values) {
    const { file } = values;
    if (typeof file !== "string") throw new UsageError("Name the file: apply <file>");
    const where = whereOfOperator(values);
    return async (signal) => {
      const content = await contentOf(file);
      const bytes = Buffer.byteLength(JSON.stringify(content));
      if (bytes > fileLimits.bytes)
        throw new Error(
          `${file} has ${megabytes(bytes)} without white space; a file may have ${megabytes(fileLimits.bytes)}. Divide it, then apply each part.`,
        );
      const requested = { file: content, existing: "set" };
      const first = await ask(where, signal, { ...requested, dry_run: true });
      const keys = keysHere(content, first);
      const { revision } = first;
      const plan =
        Object.keys(keys).length > 0
          ? await ask(where, signal, { ...requested, keys, revision, dry_run: true })
          : first;
      const isDry = values["dry-run"] === true;
      refuse(file, plan);
      if (!isDry) await ask(where, signal, { ...requested, keys, revision });
      for (const line of linesOf(plan, isDry)) console.log(printable(line));
    };
  },
};

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function refuse(file: string, { problems, missing_keys: missing }: ProvidersFileImported): void {
  if (problems.length + missing.length === 0) return;
  const keys = missing.map(
    ({ name, provider }) => `${name}, a key of ${provider}, is not set here or at the gateway.`,
  );
  const variables = [...new Set(missing.map(({ name }) => `${name}=…`))];
  const todo = variables.length > 0 ? [`Run: export ${variables.join(" ")}, then this command again.`] : [];
  const lines = [`Nothing was changed. ${file} cannot be applied:`, ...problems, ...keys, ...todo];
  throw new Error(lines.map(printable).join("\n  "));
}

async function contentOf(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(nameMissing(file));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

async function ask(where: Where, signal: AbortSignal, requested: object): Promise<ProvidersFileImported> {
  return (await askGateway(where, "/operator/file", signal, requested)) as ProvidersFileImported;
}

/**
 * The API keys of providers that the gateway asks for and this machine's environment has. Reads only
 * variables that the file names.
 */
function keysHere(
  content: unknown,
  { missing_keys: missing, stored_keys: stored }: ProvidersFileImported,
): Record<string, string> {
  const named = new Set<unknown>();
  JSON.stringify(content, (name, value) => {
    if (name === "env") named.add(value);
    return value;
  });
  const found = [...missing, ...stored].flatMap(({ name }) => {
    const key = named.has(name) ? process.env[name] : undefined;
    return key ? [[name, key] as const] : [];
  });
  return Object.fromEntries(found);
}

function linesOf({ changes, notes }: ProvidersFileImported, isDry: boolean): string[] {
  const count = (change: FileChange["change"]) => changes.filter((one) => one.change === change).length;
  const sum = `${isDry ? "Would be " : ""}${count("added")} added, ${count("changed")} changed, ${count("unchanged")} unchanged.`;
  const isSame = count("added") + count("changed") === 0;
  return [
    ...changes.flatMap(({ kind, name, change, fields }) => [
      `${change.padEnd(10)}${kind} ${name}`,
      ...fields.map((field) => `            ${field.name}: ${field.from ?? "none"} → ${field.to ?? "none"}`),
    ]),
    ...notes.map((note) => `note      ${note}`),
    isSame ? "Nothing to change." : sum,
  ];
}
