import { tokensIn } from "../estimated-usage.ts";
import { invalidAnswer, maxBytes, numberOf, recordOf, recordsOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import { documentTexts, type ProviderRequest, type SyncResult } from "../provider.ts";

/**
 * Embeds texts: `POST /embeddings`. Always requests numbers, which every server supports; the gateway encodes
 * them later as the caller requested.
 */
export async function embed(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<SyncResult> {
  const json = { ...upstreamFields(request.input, fields), model, encoding_format: "float" };
  const answer = await upstream.json(request, { path: "/embeddings", json }, maxBytes.media);
  const vectors = vectorsIn(answer.data, countOf(request.input.input));
  const { prompt_tokens: prompt, total_tokens: total } = recordOf(answer.usage);
  const quantity = numberOf(prompt) ?? numberOf(total) ?? tokensIn([request.input.input]);
  return { kind: "embeddings", vectors, usage: { unit: "token", quantity } };
}

/** Throws `upstream_invalid_response` unless there is one vector for each text, all of the same length. */
function vectorsIn(data: unknown, count: number): number[][] {
  const items = recordsOf(data);
  const vectors = new Array<number[] | undefined>(count);
  for (const [at, { index, embedding }] of items.entries()) {
    const place = numberOf(index) ?? at;
    if (place >= 0 && place < count) vectors[place] = vectorOf(embedding);
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  const [first] = whole;
  if (items.length !== count || whole.length !== count || !first)
    throw invalidAnswer(`The provider answered ${items.length} vectors for ${count} texts.`);
  if (first.length === 0 || whole.some(({ length }) => length !== first.length))
    throw invalidAnswer("The provider's vectors have different lengths.");
  return whole;
}

/** Some servers answer base64 whatever was requested. */
function vectorOf(value: unknown): number[] {
  if (Array.isArray(value) && value.every((one) => typeof one === "number" && Number.isFinite(one)))
    return value;
  if (typeof value !== "string")
    throw invalidAnswer("The provider's answer has a vector that is not numbers.");
  const bytes = Buffer.from(value, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0)
    throw invalidAnswer("The provider's answer has a vector that is not numbers.");
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** The number of texts: a string or one list of tokens counts as one; a list of either counts its items. */
function countOf(input: unknown): number {
  return Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1;
}

/**
 * Ranks texts by how well they answer a question: `POST /rerank`, the endpoint of Cohere, Jina, vLLM and
 * llama.cpp.
 */
export async function rerank(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<SyncResult> {
  const { return_documents: _, documents, ...input } = upstreamFields(request.input, fields);
  const texts = documentTexts(documents);
  const answer = await upstream.json(request, {
    path: "/rerank",
    json: { ...input, model, documents: texts },
  });
  const results = recordsOf(answer.results).map(({ index, relevance_score: score, score: other }) => ({
    index: numberOf(index) ?? -1,
    score: numberOf(score) ?? numberOf(other) ?? Number.NaN,
  }));
  const places = new Set(results.map(({ index }) => index));
  const fit = results.every(
    ({ index, score }) => index >= 0 && index < texts.length && Number.isFinite(score),
  );
  if (results.length === 0 || places.size < results.length || !fit)
    throw invalidAnswer("The provider's ranking does not match the number of texts.");
  results.sort((one, other) => other.score - one.score);
  return { kind: "rerank", results, usage: { unit: "operation", quantity: 1 } };
}
