import type { JsonSchema } from "#contract/catalog.ts";
import type { FormWords } from "./labels.ts";

export type Media = "image" | "audio" | "video" | "any";

interface FieldBase {
  /** The key in the request body. */
  name: string;
  title: string;
  hint: string | null;
  required: boolean;
  /** The published schema. Empty if there is none. */
  schema: JsonSchema;
  /**
   * True if the schema lacks the key or its shape, so that the form derived it from `required`, the example
   * and the limits.
   */
  inferred: boolean;
  /** The gateway's value when the key is missing. */
  default?: unknown;
  /** Rarely needed: collapsed until the draft uses it. */
  advanced: boolean;
}

/** A field of an operation and its control. */
export type PlannedField = FieldBase & FieldControl;

export type FieldControl =
  | { kind: "prompt"; minLength: number; maxLength: number | null }
  | {
      kind: "text";
      minLength: number;
      maxLength: number | null;
      suggestions: string[];
      /** The kind of keyboard on a phone. */
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
      /** True when the bound is not a valid value. */
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
      /**
       * The meaning of each position, if the order matters. Such a list has a swap button and a fixed length.
       */
      positions: string[] | null;
    }
  | {
      kind: "items";
      itemTitle: string;
      /** The first items, if each position has a meaning (a tuple). */
      first: PlannedField[];
      /** All further items. */
      item: PlannedField | null;
      min: number;
      max: number | null;
    }
  | {
      kind: "group";
      fields: PlannedField[];
      /** Required keys with one possible value. They are set together with the group. */
      fixed: Record<string, unknown>;
      /** The control for keys that the schema does not list. Null if there are none. */
      further: PlannedField | null;
    }
  /** Keys that the person chooses freely. */
  | { kind: "map"; value: PlannedField; max: number | null }
  | { kind: "union"; branches: { title: string; field: PlannedField }[] }
  | { kind: "strings"; min: number; max: number | null }
  | { kind: "json"; shape: "object" | "array" | "any" };

export type FieldKind = FieldControl["kind"];

/** Everything the form of one operation needs. */
export interface FormPlan {
  /** The words for what no schema names. */
  t: FormWords;
  modelId: string;
  /** In display order. */
  fields: PlannedField[];
  /**
   * Required keys with one possible value, such as `model`. They are set when the request is sent and never
   * edited.
   */
  fixed: Record<string, unknown>;
  /**
   * Optional keys with one possible value. The form does not show them, but they are sent if the draft has
   * them.
   */
  hidden: string[];
}

/** The initial value of a new item, entry or branch. Undefined if there is none. */
export function startValue(field: PlannedField): unknown {
  switch (field.kind) {
    case "group":
      return { ...field.fixed };
    case "map":
      return {};
    case "items":
    case "strings":
    case "messages":
    case "media-list":
      return [];
    case "choice":
      return field.values.length === 1 ? field.values[0] : undefined;
    case "prompt":
    case "text":
      return "";
    default:
      return undefined;
  }
}
