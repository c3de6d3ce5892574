import { recordOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest } from "../provider.ts";

/** The fields that DashScope expects under `parameters`; all others belong to `input`. */
const parameterNames = new Set([
  "n",
  "size",
  "seed",
  "resolution",
  "duration",
  "ratio",
  "mode",
  "audio",
  "watermark",
  "prompt_extend",
  "quality",
  "output_format",
  "loras",
  "high_noise_loras",
  "low_noise_loras",
]);

export interface Parts {
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

/**
 * Splits the caller's fields into DashScope's `input` and `parameters`. The free-form objects of the same
 * names are merged in, but never replace a field that the gateway has checked.
 */
export function partsOf(fieldsIn: Record<string, unknown>, rules: Mapped["fields"]): Parts {
  const { input: freeInput, parameters: freeParameters, ...own } = fieldsIn;
  const { set, defaults, ...shape } = rules ?? {};
  const { width, height, ...fields } = upstreamFields(own, shape);
  const size = sizeOf({ ...fields, width, height });
  const [parameters, input] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => parameterNames.has(name) === wanted)),
  );
  return {
    input: { ...recordOf(freeInput), ...input },
    parameters: { ...defaults, ...recordOf(freeParameters), ...parameters, ...(size && { size }), ...set },
  };
}

/** The size as `W*H`, from any of the entry's size fields; null without one. */
function sizeOf({ size, width, height }: Record<string, unknown>): string | null {
  if (typeof width === "number" && typeof height === "number") return `${width}*${height}`;
  return typeof size === "string" ? size.replace("x", "*") : null;
}

/** The main text of an operation's input. */
export function promptOf({ input }: ProviderRequest): string {
  return typeof input.prompt === "string" ? input.prompt : "";
}
