import type {
  ApiType,
  BillingUnit,
  ExecutionMode,
  InputModality,
  JsonSchema,
  Modality,
  RegionName,
  SafetyRequirements,
} from "#contract/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

export type MediaKind = "image" | "audio" | "video" | "any";

/**
 * One catalog entry in its source form, with the API's field names. `registry.ts` adds the computed fields.
 */
export interface Entry {
  id: string;
  modality: Modality;
  regions: readonly RegionName[];
  /** The regions of the release, if they are not the same list as `regions`: a subset, in any order. */
  released_regions?: readonly RegionName[];
  released_at: string;
  latest_release_at: string;
  safety_requirements: SafetyRequirements;
  /** A description in plain words; only in operators' entries. */
  description?: string;
  /** The https URL of a picture; only in operators' entries. */
  cover_url?: string;
  operations: readonly EntryOperation[];
  /** The inputs that a chat reads; text by default. Only in operators' entries. */
  input_modalities?: InputModality[];
  context_window_tokens?: number;
  max_gateway_request_bytes?: number;
  max_input_tokens?: number;
  max_output_tokens?: number;
}

/** The only source of the catalog's entries. */
export interface EntrySource {
  load(): readonly Entry[];
}

/**
 * The kind of work that an operation does, in more detail than its `api_type`. The sandbox runs an operation
 * by its engine and input only. Several entries can have the same engine.
 */
export const engines = [
  "chat",
  "speech-preset",
  /** Speaks with enrolled voices. */
  "speech-enrolled",
  "transcription",
  "voices",
  "pictures",
  "edit",
  "swap-face",
  "swap-head",
  "video",
  "video-edit",
  "animate",
  "upscale",
  "embeddings",
  "rerank",
] as const;
export type Engine = (typeof engines)[number];

export interface EntryOperation {
  api_type: ApiType;
  /** Never published. */
  engine: Engine;
  billing_unit: BillingUnit;
  execution_mode: ExecutionMode;
  /**
   * Increase it with every change of `input_schema`; a test compares the published schemas with their
   * snapshot.
   */
  schema_version: number;
  input_schema: JsonSchema;
  output_schema: JsonSchema;
  limits: Record<string, unknown>;
  example: Record<string, unknown>;
  /** Never published. */
  internal?: InternalRules;
}

/** Rules for an operation whose published schema is deliberately thin. */
export interface InternalRules {
  /**
   * Properties that are accepted and forwarded although the published schema does not list them. Their
   * schemas convert multipart text into numbers and refuse values that no provider could run.
   */
  accepts?: Record<string, JsonSchema>;
  /** Paths of media that the published schema does not mark, with `*` for every item, e.g. `images/*`. */
  media?: Record<string, MediaKind>;
  /** The schema comes from an upstream and is a plain one (`contract/input-schema/check-schema.ts`). */
  imported?: true;
  /** The path of the files in an upstream's result, with `/` between names, if it is not a usual one. */
  output?: string;
  /** Uses data of one region, such as enrolled voices, so it is never moved to another region. */
  regionBound?: true;
}

/** The error for a schema that the catalog cannot offer; `message` gives the reason in plain words. */
export function invalidSchema(message: string, param: string | null = null): ApiError {
  return new ApiError("invalid_schema", message, { param });
}

/** An entry as this installation offers it. */
export interface OfferedEntry {
  entry: Entry;
  /** The revision of an operator's entry; null for the specification's entries. */
  revision: number | null;
  /** The display name. If null, the id is shown. */
  displayName: string | null;
  /** Left out of lists, but usable. */
  hidden: boolean;
  /** The accounts that can see and use it; null for all accounts. */
  accounts: ReadonlySet<string> | null;
}

/**
 * The last change of an operator's entry: its date, and a number that grows with every change of any entry.
 */
export interface OwnChange {
  at: Date;
  number: number;
  /** The accounts that see the entry; null for all accounts. */
  accounts: ReadonlySet<string> | null;
}

/**
 * The reader of the catalog: an account, an anonymous reader (null), or `everyone` for code that needs every
 * entry, such as runs in progress.
 */
export type Viewer = string | null | typeof everyone;

export const everyone: unique symbol = Symbol("everyone");

/** An entry of the specification without any operator's settings. */
export function asPublished(entry: Entry): OfferedEntry {
  return { entry, revision: null, displayName: null, hidden: false, accounts: null };
}

export function isSeenBy({ accounts }: Pick<OfferedEntry, "accounts">, viewer: Viewer): boolean {
  return accounts === null || viewer === everyone || (viewer !== null && accounts.has(viewer));
}
