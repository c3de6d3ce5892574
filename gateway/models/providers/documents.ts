import { isRecord } from "./http/read-body.ts";

/** The texts of documents to rank; a document may be an object that contains the text. */
export function documentTexts(documents: unknown): string[] {
  if (!Array.isArray(documents)) return [];
  return documents.map((one) => String(isRecord(one) ? one.text : one));
}
