import { writeFile } from "node:fs/promises";
import { type ProviderSource, proposalLimits, variableOfSource } from "#contract/operator/constants.ts";
import type { FileProposal } from "#contract/operator/file.ts";
import type { ConvertedFile } from "#gateway/models/configuration/file/litellm/convert.ts";
import { commandLine } from "#gateway/platform/core/command-line.ts";
import { printable, type StandaloneCommand, UsageError } from "./command.ts";
import { contentLines, findingLines, writtenLine } from "./import-preview.ts";
import { askGateway, type Where, whereOfOperator, whereOptions } from "./where.ts";

/**
 * `gatehouse import openrouter` and `replicate`: lists what a key can run, and writes the chosen models with
 * their forms as a file for `gatehouse apply`. The gateway asks the provider, by its rules for addresses.
 */
const importModels = (from: ProviderSource, name: string): StandaloneCommand => ({
  usage: `import ${from} [--search <words>] [--model <name>]… [--out <file>] [--base-url <url>] [--key <operator's key>] [--gateway <url>]

  --search <words>  lists only models with these words
  --model <name>    a model for the file; may be repeated, at most ${proposalLimits.models} times
  --out <file>      where to write the file for "apply" (default: it is only shown)
  --base-url <url>  another address of ${name}; with --allow-private also one in your network
  --key <key>       an account key with the scope operator (default: GATEHOUSE_API_KEY)
  --gateway <url>   ends in /v1 (default: this machine's gateway)

The key of ${name} is read from ${variableOfSource[from]}. Without --model the command lists what that key can run. With --model it
proposes a file with these models and the forms that ${name} describes. It changes nothing. Then: gatehouse apply <file> --dry-run`,
  options: {
    search: { type: "string" },
    model: { type: "string", multiple: true },
    out: { type: "string" },
    "base-url": { type: "string" },
    "allow-private": { type: "boolean" },
    ...whereOptions,
  },
  prepare(values) {
    const where = whereOfOperator(values);
    const key = process.env[variableOfSource[from]];
    if (!key) throw new UsageError(`Set ${variableOfSource[from]} to your key of ${name}`);
    const { search, out, "base-url": base } = values;
    const models = (values.model ?? []) as string[];
    if (models.length > proposalLimits.models)
      throw new UsageError(`--model may be repeated at most ${proposalLimits.models} times`);
    return async (signal) => {
      const requested = {
        from,
        key,
        models,
        ...(typeof search === "string" && { search }),
        ...(typeof base === "string" && { base_url: base }),
        ...(values["allow-private"] === true && { allow_private: true }),
      };
      const proposal = await propose(where, signal, requested);
      if (models.length > 0 && typeof out === "string")
        await writeFile(out, `${JSON.stringify(proposal.file, null, 2)}\n`);
      const lines = models.length > 0 ? proposalLines(proposal, out) : listLines(proposal, from);
      for (const line of lines) console.log(printable(line));
    };
  },
});

export const importOpenRouter = importModels("openrouter", "OpenRouter");
export const importReplicate = importModels("replicate", "Replicate");

async function propose(where: Where, signal: AbortSignal, requested: object): Promise<FileProposal> {
  return (await askGateway(where, "/operator/file/proposal", signal, requested)) as unknown as FileProposal;
}

function listLines({ listed, has_more: hasMore }: FileProposal, from: string): string[] {
  const width = Math.min(Math.max(0, ...listed.map(({ id }) => id.length)), 50);
  return [
    ...listed.map(({ id, description }) =>
      `${id.padEnd(width)}  ${(description ?? "").slice(0, 80)}`.trimEnd(),
    ),
    listed.length === 0 ? "No model matches." : "",
    ...(hasMore ? ["There are more: --search <words> finds them."] : []),
    `Next: ${commandLine} import ${from} --model <name> --out gatehouse.json`,
  ];
}

function proposalLines({ file, findings }: FileProposal, out: unknown): string[] {
  return [
    ...contentLines(file as unknown as ConvertedFile),
    ...findingLines(findings),
    "",
    typeof out === "string" ? writtenLine(out) : "Nothing was written: --out gatehouse.json writes the file.",
  ];
}
