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

export type MediaKind = "image" | "audio" | "video" | "any";

/** One catalog entry as it is written down; `registry.ts` adds what is computed. Wire names, as they are published. */
export interface Entry {
  id: string;
  modality: Modality;
  regions: readonly RegionName[];
  /** Where it is differs from `regions`: a subset, in any order. */
  released_regions?: readonly RegionName[];
  released_at: string;
  latest_release_at: string;
  safety_requirements: SafetyRequirements;
  /** What it is good for, in plain words; entries of an operator only. */
  description?: string;
  /** A picture of it at an https address; entries of an operator only. */
  cover_url?: string;
  operations: readonly EntryOperation[];
  /** What a chat reads; without it, text. Entries of an operator only. */
  input_modalities?: InputModality[];
  context_window_tokens?: number;
  max_gateway_request_bytes?: number;
  max_input_tokens?: number;
  max_output_tokens?: number;
}

/** Where entries come from. The catalog is made from what it loads and knows nothing else of its entries. */
export interface EntrySource {
  load(): readonly Entry[];
}

/**
 * What kind of work an operation is, finer than its `api_type`: all that the sandbox needs to know of it beside the
 * input. Several entries share one.
 */
export type Engine =
  | "chat"
  | "speech-preset"
  /** Speaks with voices that were enrolled before. */
  | "speech-enrolled"
  | "transcription"
  | "voices"
  | "pictures"
  | "edit"
  | "swap-face"
  | "swap-head"
  | "video"
  | "video-edit"
  | "animate"
  | "upscale"
  | "embeddings"
  | "rerank";

export interface EntryOperation {
  api_type: ApiType;
  /** Never published. */
  engine: Engine;
  billing_unit: BillingUnit;
  execution_mode: ExecutionMode;
  /** Raise it with every change of `input_schema`; a test compares the published schemas with their snapshot. */
  schema_version: number;
  input_schema: JsonSchema;
  output_schema: JsonSchema;
  limits: Record<string, unknown>;
  example: Record<string, unknown>;
  /** Never published. */
  internal?: InternalRules;
}

/** What the gateway knows about an operation whose published schema is thin on purpose. */
export interface InternalRules {
  /**
   * Properties that are accepted and forwarded although the published schema does not list them. Their shapes turn
   * multipart text into numbers and refuse what no provider could run.
   */
  accepts?: Record<string, JsonSchema>;
  /** Paths of media that the published schema does not mark, with `*` for every item, e.g. `images/*`. */
  media?: Record<string, MediaKind>;
  /** The schema was written elsewhere and is a plain one (`contract/input-schema/check-schema.ts`). */
  imported?: true;
  /** Where an upstream's result holds the files, as names with `/` between, where they are not in a usual place. */
  output?: string;
  /** Uses data of one region, such as enrolled voices: it is never moved to another region. */
  regionBound?: true;
}
