import { documentTexts, type Embeddings, type Ranking } from "#gateway/models/providers/provider.ts";

/**
 * Embeddings in OpenAI's format: as numbers, or as the bytes of 32-bit floats, whichever the upstream sent.
 */
export function embeddingList(
  { vectors, usage }: Embeddings,
  { encoding_format: encoding }: Record<string, unknown>,
): Record<string, unknown> {
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: encoding === "base64" ? floatsAsBase64(vector) : vector,
    })),
    usage: { prompt_tokens: usage.quantity, total_tokens: usage.quantity },
  };
}

/** Little-endian, as every client expects. */
function floatsAsBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

/** A ranking in Cohere's format. */
export function rankedList(
  { results }: Ranking,
  { documents, top_n: most, return_documents: withTexts }: Record<string, unknown>,
): Record<string, unknown> {
  const texts = documentTexts(documents);
  return {
    results: results.slice(0, typeof most === "number" ? most : undefined).map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(withTexts === true && { document: { text: texts[index] } }),
    })),
    meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
  };
}
