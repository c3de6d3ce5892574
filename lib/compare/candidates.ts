import type { ApiType, CatalogModel, CatalogOperation } from "#contract/catalog.ts";
import type { FormWords } from "@/lib/schema-form/labels";
import { planForm } from "@/lib/schema-form/plan-form";
import { type AttestationCode, gates } from "../attestations/gates.ts";
import { type BilledOperation, billedOf } from "../schema-form/estimate.ts";
import { isObject, type JsonObject } from "../schema-form/json.ts";
import { familyOf } from "../schema-form/media-value.ts";
import type { PlannedField } from "../schema-form/plan.ts";
import {
  type CommonInput,
  filesOf,
  isEmptyInput,
  type MediaFamily,
  type Slot,
  type Slots,
} from "./common-input.ts";
import { candidateKey, comparedKinds, isCompared } from "./kinds.ts";

/** An operation that can be compared with others. */
export interface Candidate {
  /** `svc/chat-1:chat-completions` */
  key: string;
  model: string;
  apiType: ApiType;
  modality: string;
  slots: Slots;
  /** Inputs that the common input does not cover. */
  fields: PlannedField[];
  /** Values that are always sent. */
  fixed: JsonObject;
  /** Initial values of required fields, from the example. */
  preset: JsonObject;
  billed: BilledOperation;
  /** Attestations that the operation requires. */
  attestations: AttestationCode[];
  /** The median time of the account's runs of the model; null: there are too few. */
  typicalMs: number | null;
}

/** All operations of a catalog that can be compared; `figures` by the model's id. */
export function candidatesOf(
  models: readonly CatalogModel[],
  t: FormWords,
  figures: ReadonlyMap<string, Pick<Candidate, "typicalMs">> = new Map(),
): Candidate[] {
  return models.flatMap((model) =>
    model.operations
      .filter(({ api_type: apiType }) => isCompared(apiType))
      .map((operation) => ({
        ...candidateOf(model, operation, t),
        typicalMs: figures.get(model.id)?.typicalMs ?? null,
      })),
  );
}

function candidateOf(
  model: CatalogModel,
  operation: CatalogOperation,
  t: FormWords,
): Omit<Candidate, "typicalMs"> {
  const { fields, fixed } = planForm(model, operation, t);
  const slots = slotsOf(fields, operation);
  const taken = new Set([slots.text, ...Object.values(slots.media).map(({ field }) => field), "stream"]);
  const others = fields.filter(({ name }) => !taken.has(name));
  const { model: _model, ...always } = fixed;
  return {
    key: candidateKey(model.id, operation.api_type),
    model: model.id,
    apiType: operation.api_type,
    modality: model.modality,
    slots,
    fields: others,
    fixed: always,
    preset: Object.fromEntries(
      others
        .filter(({ name, required, kind }) => required && kind !== "confirm" && name in operation.example)
        .map(({ name }) => [name, operation.example[name]]),
    ),
    billed: billedOf(operation),
    attestations: (Object.keys(gates) as AttestationCode[]).filter(
      (code) => gates[code].kind !== null && model.safety_requirements[gates[code].flag] === true,
    ),
  };
}

function slotsOf(fields: readonly PlannedField[], operation: CatalogOperation): Slots {
  const media: Slots["media"] = {};
  for (const family of ["image", "video", "audio"] as const) {
    const slot = slotFor(family, fields, operation);
    if (slot) media[family] = slot;
  }
  return { text: textFieldOf(fields), media };
}

const textNames = ["prompt", "messages", "text", "input"];

function textFieldOf(fields: readonly PlannedField[]): string | null {
  const found = textNames.find((name) => fields.some((field) => field.name === name && isText(field)));
  return found ?? fields.find(({ kind, required }) => kind === "prompt" && required)?.name ?? null;
}

function isText({ kind, required }: PlannedField): boolean {
  return kind === "prompt" || kind === "messages" || (kind === "text" && required);
}

/** Names of a run's main file field. Other file fields only supplement it. */
const mainNames = ["image", "images", "first_frame", "video", "audio"];

function slotFor(
  family: MediaFamily,
  fields: readonly PlannedField[],
  operation: CatalogOperation,
): Slot | null {
  const found = fields.flatMap((field) => {
    const slot = slotAt(field, family, operation);
    return slot ? [{ slot, rank: (field.required ? 0 : 10) + rankOf(field.name) }] : [];
  });
  return found.sort((one, other) => one.rank - other.rank)[0]?.slot ?? null;
}

function rankOf(name: string): number {
  const at = mainNames.indexOf(name);
  return at === -1 ? mainNames.length : at;
}

function slotAt(field: PlannedField, family: MediaFamily, { example }: CatalogOperation): Slot | null {
  const { name, required } = field;
  const least = required ? 1 : 0;
  switch (field.kind) {
    case "media":
      return field.media === family
        ? { field: name, shape: "one", min: least, max: 1, positions: null }
        : null;
    case "media-list":
      return field.media === family
        ? {
            field: name,
            shape: "list",
            min: required ? Math.max(1, field.min) : field.min,
            max: field.max,
            positions: field.positions,
          }
        : null;
    case "messages":
      return family === "image" && field.pictures
        ? { field: name, shape: "list", min: 0, max: null, positions: null }
        : null;
    case "items": {
      // Only the example shows which fields an item has.
      const value = example[name];
      const first: unknown = Array.isArray(value) ? value[0] : null;
      if (!isObject(first) || typeof first.url !== "string" || familyOf(first.url) !== family) return null;
      const type = typeof first.type === "string" ? { type: first.type } : {};
      return { field: name, shape: "items", min: least, max: 1, positions: null, ...type };
    }
    default:
      return null;
  }
}

/**
 * The candidates that accept all files of the input and require no other files. Without files in the input,
 * those that accept its text.
 */
export function fitting(candidates: readonly Candidate[], input: CommonInput): Candidate[] {
  if (isEmptyInput(input)) return [];
  return candidates.filter(({ slots }) => {
    const families = ["image", "video", "audio"] as const;
    const takesFiles = families.every((family) => {
      const count = filesOf(input, family).length;
      return count === 0 || slots.media[family] !== undefined;
    });
    const hasFiles = families.every(
      (family) => filesOf(input, family).length >= (slots.media[family]?.min ?? 0),
    );
    const hasAny = families.some((family) => filesOf(input, family).length > 0);
    return takesFiles && hasFiles && (hasAny || slots.text !== null);
  });
}

/** One button chooses at most this many models. The user can choose further models one by one. */
const maxSuggested = 5;
const kinds = Object.keys(comparedKinds);

/** The first models in the order of the page that need no missing attestation and nothing more than the common input. */
export function suggestedOf(offered: readonly Candidate[], missing: readonly AttestationCode[]): Candidate[] {
  const isReady = ({ fields, preset, attestations }: Candidate) =>
    !attestations.some((code) => missing.includes(code)) &&
    fields.every(({ name, required }) => !required || Object.hasOwn(preset, name));
  const ready = offered.filter(isReady);
  return (ready.length > 0 ? ready : [...offered])
    .sort((one, other) => kinds.indexOf(one.apiType) - kinds.indexOf(other.apiType))
    .slice(0, maxSuggested);
}
