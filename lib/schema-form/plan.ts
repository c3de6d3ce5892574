import type { JsonSchema } from "#contract/catalog.ts";

export type Media = "image" | "audio" | "video" | "any";

interface FieldBase {
  /** The key in the request body. */
  name: string;
  title: string;
  hint: string | null;
  required: boolean;
  /** What the catalog publishes for it; the empty schema when it publishes nothing. */
  schema: JsonSchema;
  /** True when the schema does not list the key, or not its shape: drawn from `required`, the example and the limits. */
  inferred: boolean;
  /** The value that the service fills in when the key is absent. */
  default?: unknown;
  /** Rarely needed: folded away until the draft uses it. */
  advanced: boolean;
}

/** How one field of an operation is asked for. */
export type PlannedField = FieldBase & FieldControl;

export type FieldControl =
  | { kind: "prompt"; minLength: number; maxLength: number | null }
  | {
      kind: "text";
      minLength: number;
      maxLength: number | null;
      suggestions: string[];
      /** What a phone's keyboard should offer. */
      entry: "text" | "url" | "email";
    }
  | { kind: "moment"; format: "date" | "date-time" }
  | { kind: "choice"; values: unknown[] }
  | { kind: "region"; regions: { name: string; healthy: boolean }[] }
  | { kind: "range"; min: number; max: number; integer: boolean; step: number | null }
  | {
      kind: "number";
      min: number | null;
      max: number | null;
      integer: boolean;
      /** The bound itself is not allowed. */
      above?: true;
      below?: true;
      step: number | null;
    }
  | { kind: "seed"; min: number; max: number }
  | { kind: "smart-duration"; min: number; max: number; smart: number }
  | { kind: "yes-no" }
  | { kind: "confirm"; statement: string }
  | { kind: "messages"; toolCalls: boolean; pictures: boolean }
  | { kind: "media"; media: Media; maxBytes: number | null }
  | {
      kind: "media-list";
      media: Media;
      maxBytes: number | null;
      min: number;
      max: number | null;
      /** What each position means, where the order matters; such lists have a swap button and a fixed length. */
      positions: string[] | null;
    }
  | {
      kind: "items";
      itemTitle: string;
      /** The first ones, where a position means something (a tuple). */
      first: PlannedField[];
      /** All further ones. */
      item: PlannedField | null;
      min: number;
      max: number | null;
    }
  | {
      kind: "group";
      fields: PlannedField[];
      /** Required keys with one possible value: set with the group. */
      fixed: Record<string, unknown>;
      /** Asks for the values of keys that are not listed; null where there are none. */
      further: PlannedField | null;
    }
  /** Keys of the person's own choice. */
  | { kind: "map"; value: PlannedField; max: number | null }
  | { kind: "union"; branches: { title: string; field: PlannedField }[] }
  | { kind: "strings"; min: number; max: number | null }
  | { kind: "json"; shape: "object" | "array" | "any" };

export type FieldKind = FieldControl["kind"];

/** Everything the form of one operation needs. */
export interface FormPlan {
  modelId: string;
  /** In the order in which they are drawn. */
  fields: PlannedField[];
  /** Keys with one possible value that must be sent (`model` among them): set by the request path, never edited. */
  fixed: Record<string, unknown>;
  /** Keys with one possible value that may be left out: kept out of the form, passed on when the draft has them. */
  hidden: string[];
}
