import { readFile, stat, writeFile } from "node:fs/promises";
import { type RegionName, regionNames } from "#contract/catalog-constants.ts";
import { proposalLimits } from "#contract/operator/constants.ts";
import type { Converted } from "#gateway/models/configuration/file/litellm/convert.ts";
import type { ProposedCall } from "#gateway/models/configuration/file/litellm/limits.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { nameMissing, printable, type StandaloneCommand, UsageError } from "./command.ts";
import { contentLines, findingLines, writtenLine } from "./import-preview.ts";

/**
 * `gatehouse import litellm`: converts a `config.yaml` of LiteLLM to the file that `gatehouse apply` takes, and
 * says what is not carried over. It needs no gateway and changes nothing.
 */
export const importLiteLlm: StandaloneCommand = {
  usage: `import litellm <config.yaml> [--out <file>] [--account <id or name>] [--region <region>]

  <config.yaml>        the configuration of LiteLLM's proxy
  --out <file>         where to write the file for "apply" (default: it is only shown)
  --account <account>  whose limits and budgets the preview sets (default: it says ACCOUNT)
  --region <region>    the region of the providers (default: us-virginia)

Shows providers, models, aliases and prices of the file; each setting that is not carried over, with the reason and what to do; and
the calls that set limits and budgets in the account. os.environ/X stays a reference to X. A key that is written in clear becomes a
variable: the preview shows it once, and the file never contains it. Then: gatehouse apply <file> --dry-run`,
  argument: "config.yaml",
  options: {
    out: { type: "string" },
    account: { type: "string" },
    region: { type: "string" },
  },
  prepare(values) {
    const { "config.yaml": source, out, account = "ACCOUNT", region = "us-virginia" } = values;
    if (typeof source !== "string")
      throw new UsageError("Name the configuration: import litellm config.yaml");
    if (!regionNames.some((name) => name === region))
      throw new UsageError(`--region must be one of ${regionNames.join(", ")}`);
    return async () => {
      const { convertLiteLlm } = await import("#gateway/models/configuration/file/litellm/convert.ts");
      const { size } = await stat(source).catch(nameMissing(source));
      if (size > proposalLimits.textBytes)
        throw new Error(
          `${source} is larger than ${proposalLimits.textBytes / 1024} kB, so it is no config.yaml of LiteLLM.`,
        );
      const converted = convertLiteLlm(await readFile(source, "utf8"), {
        region: region as RegionName,
        today: clock.date().toISOString().slice(0, 10),
        environment: process.env,
      });
      if (typeof out === "string") await writeFile(out, `${JSON.stringify(converted.file, null, 2)}\n`);
      const shown = preview(converted, String(account), typeof out === "string" ? out : null);
      for (const line of shown) console.log(line);
    };
  },
};

/** The lines for people. Only the last part has keys. */
function preview({ file, keys, findings, calls }: Converted, account: string, out: string | null): string[] {
  return [
    ...contentLines(file),
    ...findingLines(findings),
    "",
    "LiteLLM keeps virtual keys, teams and their budgets in its database, not in this file: make new keys here.",
    "LiteLLM has prices of its own for many models. Here a model without a price is not priced: the console imports LiteLLM's list (Prices).",
    ...(calls.length > 0 ? ["", ...callLines(calls, account)] : []),
    ...(keys.length > 0
      ? ["", "Keys that the configuration has in clear. They are shown once and are not in the file:"]
      : []),
    ...keys.map(({ variable, secret }) => `export ${variable}=${quoted(secret)}`),
    "",
    out === null ? "Nothing was written: --out gatehouse.json writes the file." : writtenLine(out),
  ].map(printable);
}

function callLines(calls: readonly ProposedCall[], account: string): string[] {
  return [
    `Limits and budgets of the account ${account}. An owner or admin of it makes these calls, or sets the same in the console:`,
    ...calls.map(({ method, path, body }) => `  ${method} ${path} ${JSON.stringify(body)}`),
  ];
}

/** For a POSIX shell, on one line. */
function quoted(text: string): string {
  const line = printable(text);
  return `'${line.replaceAll("'", `'\\''`)}'`;
}
