import { readFile } from "node:fs/promises";
import type { ProvidersFileImported } from "#contract/operator/file.ts";
import { type StandaloneCommand, UsageError } from "./command.ts";
import { printable } from "./printable.ts";
import { askGateway, type Where, whereOf, whereOptions } from "./where.ts";

/** `gatehouse apply`: takes the providers, models and routes of a file into a gateway that runs. */
export const apply: StandaloneCommand = {
  summary: "Add providers, models and routes from a file",
  usage: `apply <file> [--dry-run] [--key <operator's key>] [--gateway <url>]

  <file>           a providers file, as the console exports it (Operator, Providers, Export)
  --dry-run        say what would happen, and change nothing
  --key <key>      an account key with the scope operator (default: GATEHOUSE_API_KEY)
  --gateway <url>  ends in /v1 (default: this machine's gateway)

Keys that the file names as variables are read from this machine's environment where the gateway does not have them.
What is there already stays as it is: where it differs from the file, that is said. Applying a file twice changes nothing more.`,
  argument: "file",
  options: { "dry-run": { type: "boolean" }, ...whereOptions },
  prepare(values) {
    const { file } = values;
    if (typeof file !== "string") throw new UsageError("Name the file: apply <file>");
    const where = whereOf(values);
    if (where.key === null) throw new UsageError("--key (or GATEHOUSE_API_KEY) is required");
    return async (signal) => {
      const content = await contentOf(file);
      const plan = await ask(where, signal, { file: content, dry_run: true });
      const keys = keysHere(plan);
      const missing = plan.missing_keys.filter(({ name }) => keys[name] === undefined);
      const wish = { file: content, ...(Object.keys(keys).length > 0 && { keys }) };
      const isDry = values["dry-run"] === true;
      if (plan.problems.length > 0 || missing.length > 0)
        throw new Error(
          [
            `Nothing was changed. ${file} cannot be applied:`,
            ...plan.problems,
            ...missing.map(
              ({ name, provider }) => `${name}, a key of ${provider}, is not set here or at the gateway.`,
            ),
          ]
            .map(printable)
            .join("\n  "),
        );
      const done = await ask(where, signal, { ...wish, dry_run: isDry });
      for (const line of linesOf(done, isDry)) console.log(printable(line));
    };
  },
};

async function contentOf(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

async function ask(where: Where, signal: AbortSignal, wish: object): Promise<ProvidersFileImported> {
  return (await askGateway(where, "/operator/file", signal, wish)) as ProvidersFileImported;
}

/** The keys that the gateway lacks and this machine has. */
function keysHere({ missing_keys: missing }: ProvidersFileImported): Record<string, string> {
  const found = missing.flatMap(({ name }) => {
    const key = process.env[name];
    return key ? [[name, key] as const] : [];
  });
  return Object.fromEntries(found);
}

function linesOf({ created, models, routes, ...plan }: ProvidersFileImported, isDry: boolean): string[] {
  const verb = isDry ? "Would add" : "Added";
  const kept = [...plan.kept, ...plan.models_kept];
  const nothing = created.length + models.length + routes === 0;
  return [
    ...(nothing ? ["Nothing to add: all of it is there."] : []),
    ...(created.length > 0 ? [`${verb} providers: ${created.join(", ")}`] : []),
    ...(models.length > 0 ? [`${verb} models: ${models.join(", ")}`] : []),
    ...(routes > 0 ? [`${verb} routes: ${routes}`] : []),
    ...(kept.length > 0 ? [`Kept as it is: ${kept.join(", ")}`] : []),
    ...plan.notes,
  ];
}
