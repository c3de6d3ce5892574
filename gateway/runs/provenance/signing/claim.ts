import { readFileSync } from "node:fs";
import type { Engine } from "#gateway/models/catalog/entry.ts";

/** The facts about a run's file that its claim includes: no prompt, no account, no file name. */
export interface Made {
  model: string;
  engine: Engine;
  /** True if no model ran. */
  sandbox: boolean;
  /** The inputs of the run, in the order of the request. */
  inputs: readonly Input[];
}

export interface Input {
  contentType: string;
  file: string;
  sizeBytes: number;
}

export interface HashedInput extends Input {
  sha256: string;
}

/** The claim in the library's form, with its ingredients. */
export interface Claim {
  definition: Record<string, unknown>;
  /** One for each named input, in order. */
  ingredients: Record<string, unknown>[];
}

/** Further inputs are not named. */
export const maxIngredients = 16;

const sourceTypes = "http://cv.iptc.org/newscodes/digitalsourcetype";
const sandboxWords = "SANDBOX: no model ran";
/** Operations that edit a given file; the others make a new one. */
const edits: ReadonlySet<Engine> = new Set(["edit", "swap-face", "swap-head", "video-edit", "upscale"]);

const { version } = JSON.parse(
  readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};

/** The claim of a file of this type. */
export function claimOf(
  { model, engine, sandbox, inputs }: Omit<Made, "inputs"> & { inputs: readonly HashedInput[] },
  contentType: string,
  when: Date,
): Claim {
  const named = inputs.slice(0, maxIngredients);
  const family = familyOf(contentType);
  const parent = edits.has(engine) ? named.findIndex((input) => familyOf(input.contentType) === family) : -1;
  const idOf = (index: number) => `input-${index + 1}`;
  const others = named.flatMap((_, index) => (index === parent ? [] : [idOf(index)]));
  const made = {
    digitalSourceType: `${sourceTypes}/${sandbox ? "algorithmicMedia" : "trainedAlgorithmicMedia"}`,
    softwareAgent: { name: sandbox ? "Gatehouse sandbox" : model },
    when: when.toISOString(),
    ...(sandbox && { description: sandboxWords }),
    ...(others.length > 0 && { parameters: { ingredientIds: others } }),
  };
  const actions =
    parent === -1
      ? [{ action: "c2pa.created", ...made }]
      : [
          { action: "c2pa.opened", parameters: { ingredientIds: [idOf(parent)] } },
          { action: "c2pa.edited", ...made },
        ];
  return {
    definition: {
      claim_generator_info: [{ name: "Gatehouse", version }],
      ...(sandbox && { title: sandboxWords }),
      assertions: [{ label: "c2pa.actions.v2", data: { actions } }],
    },
    ingredients: named.map((input, index) => ({
      title: `Input ${index + 1}`,
      format: input.contentType,
      relationship: index === parent ? "parentOf" : "inputTo",
      label: idOf(index),
      description: `SHA-256 ${input.sha256}`,
    })),
  };
}

function familyOf(contentType: string): string | undefined {
  return contentType.split("/")[0];
}
