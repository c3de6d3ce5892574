import type { InputModality, JsonSchema } from "#contract/catalog.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { numberOf, textOf } from "../http/read-body.ts";

/** What an upstream publishes about one of its models, the same for all protocols. */
export interface UpstreamModel {
  /** The name to call it by, with the version where the upstream has versions. */
  name: string;
  description: string | null;
  /** An https address. */
  coverUrl: string | null;
  /** The model's own input fields, in the order of the upstream's form; media are marked. */
  input: JsonSchema;
  /** What it answers with; null where that is not published. */
  output: JsonSchema | null;
  /** The upstream's own word for what it does, e.g. `image-to-video`. */
  category: string | null;
  /** An example run. */
  sample: { input: Record<string, unknown>; output: unknown } | null;
  notes: string[];
}

/** A model of which an upstream gives the name, and perhaps what and how much it reads. */
export interface ListedModel {
  name: string;
  contextTokens: number | null;
  /** The longest answer; null where it does not say. */
  outputTokens: number | null;
  /** Null where it does not say. */
  reads: InputModality[] | null;
}

/** What a protocol's upstream says of one of its models: all of it, or no more than that it is in a list. */
export type ModelDescription = { model: UpstreamModel } | { listed: ListedModel };

/** Questions about one model of a connection, for the protocols. */
export interface AskAboutModel {
  /** Of the connection's region; null where it has no address. */
  base: URL | null;
  /**
   * The first of these paths that exists, below the base URL or another one. Throws `model_not_found`, or what the
   * provider's refusal means.
   */
  first(paths: readonly string[], base?: string): Promise<Record<string, unknown>>;
  /** What to throw when the upstream has no such model. */
  unknown(more?: string): ApiError;
}

/** What to throw for a name that no model of this protocol can have. */
export function badModelName(message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param: "import.name" });
}

/** A number of tokens as a list says it; null where it says none. */
export function tokensOf(value: unknown): number | null {
  const tokens = numberOf(value);
  return tokens !== null && Number.isInteger(tokens) && tokens > 0 ? tokens : null;
}

/** An https address, or null: pages show nothing else. */
export function httpsUrl(value: unknown): string | null {
  const url = URL.parse(textOf(value) ?? "");
  return url?.protocol === "https:" ? url.href : null;
}
