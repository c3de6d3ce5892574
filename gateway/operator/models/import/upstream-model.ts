import type { JsonSchema } from "#contract/catalog.ts";

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
