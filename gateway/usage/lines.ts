import type { BillingUnit } from "#contract/catalog.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { Actor } from "#gateway/core/actor.ts";
import type { Usage } from "#gateway/core/usage.ts";

/** The quantity of one kind that a run used. */
export interface UsageLine {
  /** The unit and what may set its price: `token:input`, `second:720P`, `generation:1024x1024:high`. */
  kind: string;
  unit: BillingUnit;
  quantity: number;
}

/** What one run used, and for whom. */
export interface RunUsage {
  /** `gen_…` or `pred_…`; the time in it is that of the run's admission. */
  runId: string;
  accountId: string;
  /** Null for a signed-in user. */
  keyId: string | null;
  /** Null for a service key. */
  userId: string | null;
  model: string;
  provider: string;
  region: string;
  metadata: Metadata | null;
  lines: UsageLine[];
}

/** What else is known about a run. */
export interface RunDetail {
  /** The validated input: `resolution`, `size` and `quality` are read. */
  input?: Readonly<Record<string, unknown>>;
  /** OpenAI's count of a chat. */
  tokens?: { prompt_tokens: number };
  /** The files that were made. */
  outputs?: readonly { width?: number | null; height?: number | null }[];
}

/** The run of a `ProviderRequest`. */
interface MeteredRun {
  id: string;
  model: { id: string };
  region: string;
  input: Record<string, unknown>;
}

/** The only client values that may become part of a kind; others could be of any length and number. */
const word = /^[\w.-]{1,20}$/;
const pixels = /^(\d{2,5})[x*](\d{2,5})$/;

/** What the run of a request used, and for whom. */
export function usageOfOperation(
  { actor, metadata }: { actor: Actor; metadata: Metadata | null },
  { id, model, region, input }: MeteredRun,
  provider: string,
  usage: Usage,
  detail: Omit<RunDetail, "input"> = {},
): RunUsage {
  return {
    runId: id,
    accountId: actor.accountId,
    keyId: actor.kind === "key" ? actor.id : null,
    userId: actor.userId,
    model: model.id,
    provider,
    region,
    metadata,
    lines: usageLines(usage, { input, ...detail }),
  };
}

/**
 * The lines of a run: together they are its usage. Tokens are split into input and output, seconds of video carry their
 * resolution, images their size and quality. Unknown parts are left out of the kind.
 */
export function usageLines(usage: Usage, detail: RunDetail = {}): UsageLine[] {
  if (!Number.isFinite(usage.quantity)) return [];
  return linesOf(usage, detail).filter(({ quantity }) => quantity > 0);
}

function linesOf({ unit, quantity }: Usage, { input = {}, tokens, outputs = [] }: RunDetail): UsageLine[] {
  switch (unit) {
    case "token": {
      if (!tokens) return [{ kind: unit, unit, quantity }];
      // Some upstreams count hidden reasoning only in the total; it was generated, so it is output.
      const prompt = Math.min(quantity, tokens.prompt_tokens);
      return [
        { kind: "token:input", unit, quantity: prompt },
        { kind: "token:output", unit, quantity: quantity - prompt },
      ];
    }
    case "second":
      return [{ kind: kindOf(unit, wordOf(input.resolution)), unit, quantity }];
    case "generation": {
      const quality = wordOf(input.quality);
      // If an upstream bills another number than it sent, it is unknown which of them it bills.
      if (outputs.length !== quantity)
        return [{ kind: kindOf(unit, sizeOf(input), quality), unit, quantity }];
      const sizes = outputs.map((output) => sizeOf(output) ?? sizeOf(input));
      return [...new Set(sizes)].map((size) => ({
        kind: kindOf(unit, size, quality),
        unit,
        quantity: sizes.filter((other) => other === size).length,
      }));
    }
    case "character":
    case "operation":
      return [{ kind: unit, unit, quantity }];
  }
}

function kindOf(unit: BillingUnit, ...about: (string | null)[]): string {
  return [unit, ...about.filter((part) => part !== null)].join(":");
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && word.test(value) ? value : null;
}

/** `1024x1024`, from the measured or requested width and height, or from a `size`. */
function sizeOf({
  width,
  height,
  size,
}: {
  width?: unknown;
  height?: unknown;
  size?: unknown;
}): string | null {
  if (typeof width === "number" && typeof height === "number") return `${width}x${height}`;
  const sides = typeof size === "string" ? pixels.exec(size) : null;
  return sides ? `${sides[1]}x${sides[2]}` : null;
}
