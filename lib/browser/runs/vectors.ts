/** A vector in an answer: numbers, or 32-bit floats as base64. Null for any other value. */
export function vectorOf(embedding: unknown): number[] | null {
  if (Array.isArray(embedding)) return embedding.every((one) => typeof one === "number") ? embedding : null;
  if (typeof embedding !== "string") return null;
  try {
    const bytes = Uint8Array.from(atob(embedding), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.getFloat32(at * 4, true));
  } catch {
    return null;
  }
}

/** Cosine similarity of two vectors: 1 for the same direction, 0 for none in common. */
export function similarity(one: readonly number[], other: readonly number[]): number {
  let [product, ofOne, ofOther] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const beside = other[at] ?? 0;
    product += value * beside;
    ofOne += value * value;
    ofOther += beside * beside;
  }
  return product === 0 ? 0 : product / Math.sqrt(ofOne * ofOther);
}
