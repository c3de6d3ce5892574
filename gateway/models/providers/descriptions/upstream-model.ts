import type { InputModality, JsonSchema } from "#contract/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { numberOf, textOf } from "../http/read-body.ts";

/** An upstream's published description of a model, in one form for all protocols. */
export interface UpstreamModel {
  /** The name for calls, with the version if the upstream has versions. */
  name: string;
  description: string | null;
  /** An https URL. */
  coverUrl: string | null;
  /** The model's own input fields in the order of the upstream's form, with media marked. */
  input: JsonSchema;
  /** The output schema; null if it is not published. */
  output: JsonSchema | null;
  /** The upstream's own category, e.g. `image-to-video`. */
  category: string | null;
  /** An example run. */
  sample: { input: Record<string, unknown>; output: unknown } | null;
  notes: string[];
}

/** A model in an upstream's list: its name, and perhaps its inputs and token limits. */
export interface ListedModel {
  name: string;
  contextTokens: number | null;
  /** The maximum output length; null if unknown. */
  outputTokens: number | null;
  /** The kinds of input that the model reads; null if unknown. */
  reads: InputModality[] | null;
}

/** What a protocol's upstream publishes about a model: a full description, or only a list entry. */
export type ModelDescription = { model: UpstreamModel } | { listed: ListedModel };

/** Lets a protocol read the description of one model from a connection. */
export interface AskAboutModel {
  /** The base URL of the connection's region; null if it has no address. */
  base: URL | null;
  /**
   * The answer from the first of these paths that exists, below the base URL or `base`. Throws
   * `model_not_found`, or the error for the provider's refusal.
   */
  first(paths: readonly string[], base?: string): Promise<Record<string, unknown>>;
  /** The error if the upstream has no such model. */
  unknown(more?: string): ApiError;
}

/** The error for a name that no model of this protocol can have. */
export function badModelName(message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param: "import.name" });
}

/** A number of tokens from a list; null if there is none. */
export function tokensOf(value: unknown): number | null {
  const tokens = numberOf(value);
  return tokens !== null && Number.isInteger(tokens) && tokens > 0 ? tokens : null;
}

/** The URL if it uses https, otherwise null: pages show no other pictures. */
export function httpsUrl(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? "");
  return url?.protocol === "https:" ? url.href : null;
}
