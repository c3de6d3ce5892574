import type { ConvertedFile } from "#gateway/models/configuration/file/litellm/convert.ts";
import type { Finding } from "#gateway/models/configuration/file/litellm/left-out.ts";
import { commandLine } from "#gateway/platform/core/command-line.ts";

/** What a proposed file has, for people: a line for each of its parts. */
export function contentLines({
  providers,
  routes,
  models,
  aliases = {},
  prices = [],
}: ConvertedFile): string[] {
  return [
    ...Object.entries(providers).map(([name, { base_url: base, credentials }]) => {
      const [credential] = Object.values(credentials);
      const env = credential?.env ?? credential?.keys?.[0]?.env;
      return row("provider", `${name}: ${base}, ${env ? `key in ${env}` : "without a key"}`);
    }),
    ...Object.keys(models).map((id) => {
      const used = routes.filter((route) => route.models.includes(id));
      return row(
        "model",
        `${id}: ${used.map((one) => `${one.upstream_model} by ${one.provider}`).join(", ")}`,
      );
    }),
    ...Object.entries(aliases).map(([name, entry]) => row("alias", `${name}: ${entry.models.join(", ")}`)),
    ...prices.map(({ model, provider, components }) => {
      const rates = components.map(({ kind, rate, per }) => `${kind} ${rate} per ${per}`).join(", ");
      return row("price", `${model}${provider ? ` by ${provider}` : ""}: ${rates}`);
    }),
  ];
}

/** The last line of a preview whose file was written. */
export function writtenLine(out: string): string {
  return `Wrote ${out}. Next: ${commandLine} apply ${out} --dry-run --key "$OPERATOR_KEY"`;
}

function row(kind: string, text: string): string {
  return `${kind.padEnd(10)}${text}`;
}

export function findingLines(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap(({ place, reason, todo }) => [`  ${place}: ${reason}`, `      ${todo}`]);
  return ["", "Not carried over, or different:", ...lines];
}
