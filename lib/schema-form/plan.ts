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
  | { kind: "text"; minLength: number; maxLength: number | null; suggestions: string[] }
  | { kind: "choice"; values: (string | number)[] }
  | { kind: "region"; regions: { name: string; healthy: boolean }[] }
  | { kind: "range"; min: number; max: number; integer: boolean }
  | { kind: "number"; min: number | null; max: number | null; integer: boolean }
  | { kind: "seed"; min: number; max: number }
  | { kind: "smart-duration"; min: number; max: number; smart: number }
  | { kind: "yes-no" }
  | { kind: "confirm"; statement: string }
  | { kind: "messages"; toolCalls: boolean }
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
  | { kind: "items"; itemTitle: string; fields: PlannedField[]; min: number; max: number | null }
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
