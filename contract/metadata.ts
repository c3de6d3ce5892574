import { type Static, Type } from "typebox";

/** OpenAI's limits of `metadata`. */
export const metadataLimits = { keys: 16, keyLength: 64, valueLength: 512 } as const;

/**
 * Key-value pairs that a caller attaches to a request for its own use, such as a customer. The gateway stores
 * them without reading them.
 */
export const Metadata = Type.Record(
  Type.String({ minLength: 1, maxLength: metadataLimits.keyLength }),
  Type.String({ maxLength: metadataLimits.valueLength }),
  { maxProperties: metadataLimits.keys },
);
export type Metadata = Static<typeof Metadata>;

/** A filter of lists: one key and its value. */
export const MetadataFilter = Type.String({
  minLength: 2,
  maxLength: metadataLimits.keyLength + 1 + metadataLimits.valueLength,
  pattern: "^[^=]+=",
  description: "`key=value`: only rows with this pair in their metadata",
});

/** The metadata pair in a search such as `customer=umbrella`. Null when the search consists of words. */
export function pairIn(search: string): string | null {
  const pair = search.trim();
  return /^[^\s=]{1,64}=\S/.test(pair) &&
    pair.length <= metadataLimits.keyLength + 1 + metadataLimits.valueLength
    ? pair
    : null;
}
