import type { BillingUnit, ExecutionMode, InputModality, RegionName } from "#contract/catalog-constants.ts";
import type { FieldRoles, OperatorModel, OperatorModelUpdate } from "#contract/operator/models.ts";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

export type MediaKind = "image" | "audio" | "video" | "any";
type Gates = OperatorModel["safety_requirements"];

/** An entry while somebody edits it: JSON as text, lists as lines. */
export interface EntryDraft {
  displayName: string;
  description: string;
  coverUrl: string;
  billingUnit: BillingUnit;
  executionMode: ExecutionMode;
  schema: string;
  example: string;
  limits: string;
  prompt: string;
  output: string;
  media: { path: string; kind: MediaKind }[];
  regions: RegionName[];
  gates: Gates;
  /** The input types of a chat. Empty for other kinds. */
  reads: InputModality[];
}

type Operation = OperatorModel["operations"][number];

/** The draft of an operator's entry, which has one operation. */
export function draftOf(model: OperatorModel, operation: Operation): EntryDraft {
  const { prompt, output, media } = operation.fields;
  return {
    displayName: model.display_name ?? "",
    description: model.description ?? "",
    coverUrl: model.cover_url ?? "",
    billingUnit: operation.billing_unit,
    executionMode: operation.execution_mode,
    schema: JSON.stringify(operation.input_schema, null, 2),
    example: JSON.stringify(operation.example, null, 2),
    limits: JSON.stringify(operation.limits, null, 2),
    prompt: prompt ?? "",
    output: output ?? "",
    media: Object.entries(media).map(([path, kind]) => ({ path, kind })),
    regions: model.regions,
    gates: model.safety_requirements,
    reads: model.input_modalities ?? [],
  };
}

/** Parses a JSON object. Null if the text is not one. */
export function objectFrom(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const jsonBoxes = ["schema", "example", "limits"] as const;
type JsonName = (typeof jsonBoxes)[number];

/** Names of the fields whose JSON is invalid. */
export function unreadable(draft: EntryDraft): JsonName[] {
  return jsonBoxes.filter((name) => objectFrom(draft[name]) === null);
}

/** Asks to fix the JSON of these fields. */
export function fixFirst(t: Words<"operatorModels">, wrong: readonly JsonName[]): string {
  const names = { schema: t("theInputSchema"), example: t("theExample"), limits: t("theLimits") };
  return t("fixJson", {
    names: listText(
      t.language,
      wrong.map((name) => names[name]),
    ),
  });
}

const same = (first: unknown, second: unknown) => JSON.stringify(first) === JSON.stringify(second);

/** The changes between two drafts as a request. Empty if there are none. */
export function updateOf(draft: EntryDraft, before: EntryDraft): OperatorModelUpdate {
  const changed = (...names: (keyof EntryDraft)[]) => names.some((name) => !same(draft[name], before[name]));
  return {
    ...(changed("displayName") && { display_name: draft.displayName.trim() || null }),
    ...(changed("description") && { description: draft.description.trim() || null }),
    ...(changed("coverUrl") && { cover_url: draft.coverUrl.trim() || null }),
    ...(changed("billingUnit") && { billing_unit: draft.billingUnit }),
    ...(changed("executionMode") && { execution_mode: draft.executionMode }),
    ...(changed("schema") && { input_schema: objectFrom(draft.schema) ?? {} }),
    ...(changed("example") && { example: objectFrom(draft.example) ?? {} }),
    ...(changed("limits") && { limits: objectFrom(draft.limits) ?? {} }),
    ...(changed("prompt", "output", "media") && { fields: fieldsOf(draft) }),
    ...(changed("regions") && { regions: draft.regions }),
    ...(changed("reads") && { input_modalities: draft.reads }),
    ...(changed("gates") && { safety_requirements: draft.gates }),
  };
}

function fieldsOf({ prompt, output, media }: EntryDraft): FieldRoles {
  const named = media.filter(({ path }) => path.trim() !== "");
  return {
    prompt: prompt.trim() || null,
    output: output.trim() || null,
    media: Object.fromEntries(named.map(({ path, kind }) => [path.trim(), kind])),
  };
}
