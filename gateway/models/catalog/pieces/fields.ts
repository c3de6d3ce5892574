import type { JsonSchema } from "#contract/catalog.ts";

/** Largest seed that every upstream takes (2^31 - 1). */
export const maxSeed = 2_147_483_647;

export const seed: JsonSchema = {
  type: "integer",
  minimum: 0,
  maximum: maxSeed,
  title: "Seed",
  description: "The same seed and input give the same result.",
};

/** Number of outputs where exactly one is made. */
export const singleOutput: JsonSchema = {
  type: "integer",
  minimum: 1,
  maximum: 1,
  title: "Number of outputs",
  description: "Always 1 for this model.",
};

export function prompt(maxLength: number, minLength = 1): JsonSchema {
  return {
    type: "string",
    ...(minLength > 0 && { minLength }),
    maxLength,
    title: "Prompt",
    description: "What should be made, in plain words.",
  };
}

export function promptExtend(byDefault: boolean): JsonSchema {
  return {
    type: "boolean",
    default: byDefault,
    title: "Extend prompt",
    description: "Let the model add detail to a short prompt.",
  };
}

export function resolution(choices: readonly string[], byDefault?: string): JsonSchema {
  return {
    type: "string",
    enum: [...choices],
    ...(byDefault && { default: byDefault }),
    title: "Resolution",
    description: "Size of the video's short side.",
  };
}

/** Whole seconds within bounds. */
export function duration(minimum: number, maximum: number, byDefault?: number): JsonSchema {
  return {
    type: "integer",
    minimum,
    maximum,
    ...(byDefault !== undefined && { default: byDefault }),
    title: "Duration",
    description: `Length in seconds, ${minimum} to ${maximum}.`,
  };
}

/** One of a few lengths, in whole seconds. */
export function durationChoice(choices: readonly number[], byDefault?: number): JsonSchema {
  return {
    type: "integer",
    enum: [...choices],
    ...(byDefault !== undefined && { default: byDefault }),
    title: "Duration",
    description: "Length in seconds.",
  };
}

export function pixels(title: string, maximum: number, byDefault: number): JsonSchema {
  return {
    type: "integer",
    minimum: 256,
    maximum,
    default: byDefault,
    title,
    description: `In pixels, 256 to ${maximum}.`,
  };
}

export function freeObject(title: string, description: string): JsonSchema {
  return { type: "object", title, description };
}
