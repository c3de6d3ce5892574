import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import { documentTexts, type ProviderRequest, type SyncResult } from "#gateway/models/providers/provider.ts";

import { textField } from "../plans/fields.ts";

const usualDimensions = 256;

/**
 * Vectors of the words of each text: equal texts have equal vectors, and texts that share words are near each
 * other.
 */
export function embed({ input: { input, dimensions } }: ProviderRequest): SyncResult {
  const texts = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const length = typeof dimensions === "number" ? dimensions : usualDimensions;
  return {
    kind: "embeddings",
    vectors: texts.map((text) => vectorOf(typeof text === "string" ? text : JSON.stringify(text), length)),
    usage: { unit: "token", quantity: texts.reduce<number>((sum, text) => sum + tokensIn([text]), 0) },
  };
}

/** Ranks the texts: those whose words are nearest to the query come first. */
export function rank(request: ProviderRequest): SyncResult {
  const query = vectorOf(textField(request, "query"), usualDimensions);
  const results = documentTexts(request.input.documents).map((text, index) => {
    const near = vectorOf(text, usualDimensions).reduce(
      (sum, value, at) => sum + value * (query[at] ?? 0),
      0,
    );
    return { index, score: Math.round(Math.max(0, near) * 1e6) / 1e6 };
  });
  results.sort((one, other) => other.score - one.score || one.index - other.index);
  return { kind: "rerank", results, usage: { unit: "operation", quantity: 1 } };
}

/**
 * A vector of length 1: each word, and each three letters of it, add to positions derived from their hash.
 */
function vectorOf(text: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    add(vector, hashOf(word, 0, word.length), 1);
    for (let at = 0; at + 3 <= word.length; at += 1) add(vector, hashOf(word, at, at + 3), 0.3);
  }
  const size = Math.hypot(...vector) || 1;
  return vector.map((value) => value / size);
}

/**
 * Adds the weight at two positions that follow from the hash. Each sign also follows from it, so that chance
 * matches cancel each other out on average.
 */
function add(vector: number[], hash: number, weight: number): void {
  for (const part of [hash, Math.imul(hash, 0x9e37_79b1) >>> 0]) {
    const at = (part >>> 1) % vector.length;
    vector[at] = (vector[at] ?? 0) + ((part & 1) === 0 ? weight : -weight);
  }
}

/** FNV-1a of a part of a text. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash >>> 0;
}
