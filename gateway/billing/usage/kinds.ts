import { type PriceKind, priceKinds } from "#contract/money/constants.ts";
import type { ExtraUnit } from "./usage-line.ts";

const known: ReadonlySet<string> = new Set(priceKinds);
/** How earlier releases wrote them. */
const former: ReadonlyMap<string, PriceKind> = new Map([
  ["token:input", "input_token"],
  ["token:output", "output_token"],
]);
/** The line of a fee per request. */
const request: ExtraUnit = "request";

/** The kind of a line as it is stored, in its parts: what is counted, and what may set its price, such as `720P`. */
export function partsOfKind(kind: string): { priceKind: PriceKind; about: string } {
  const ofTokens = former.get(kind);
  if (ofTokens) return { priceKind: ofTokens, about: "" };
  const at = kind.indexOf(":");
  const [word, about] = at < 0 ? [kind, ""] : [kind.slice(0, at), kind.slice(at + 1)];
  if (word === request) return { priceKind: "operation", about };
  if (word === "generation") return { priceKind: "image", about };
  return { priceKind: known.has(word) ? (word as PriceKind) : "operation", about };
}
