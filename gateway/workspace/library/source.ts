import type { ApiType } from "#contract/catalog.ts";
import type { KeepRequest } from "#contract/outputs.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { predictions } from "#gateway/platform/database/schema.ts";
import type { StoredInput } from "#gateway/platform/database/tables/predictions.ts";
import type { OutputRow } from "#gateway/runs/provenance/output-row.ts";
import { checkInput, confirmation } from "#gateway/workspace/presets/check.ts";
import { filesIn, withValueAt } from "#gateway/workspace/presets/input.ts";

type Json = Record<string, unknown>;

/** How an output was made, as far as it is known, with the files of the input beside it. */
export interface Source {
  apiType: ApiType | null;
  svcRegion: string | null;
  input: Json | null;
  media: StoredInput[];
}

/**
 * How an output was made: a prediction has its input, of a sync run the caller may say it. Throws `invalid_parameter` and
 * `input_too_large` for what the caller says.
 */
export async function sourceOf(
  { database, config }: Context,
  output: OutputRow,
  { input: told, api_type: toldType }: KeepRequest,
): Promise<Source> {
  const [run] = await database.queries
    .select({
      apiType: predictions.apiType,
      svcRegion: predictions.svcRegion,
      input: predictions.input,
      media: predictions.media,
    })
    .from(predictions)
    .where(and(eq(predictions.id, output.runId), eq(predictions.accountId, output.accountId)));
  if (run) {
    if (told !== undefined)
      throw new ApiError(
        "invalid_parameter",
        "The input of a prediction is known already. Leave input out.",
        {
          param: "input",
        },
      );
    const { apiType, svcRegion, input, media } = run;
    const paths = media.map(({ path }) => path);
    return { apiType: apiType as ApiType, svcRegion, input: input && stored(input, paths), media };
  }
  const unknown = { apiType: toldType ?? null, svcRegion: null, input: null, media: [] };
  if (told === undefined) return unknown;
  if (toldType === undefined)
    throw new ApiError(
      "missing_parameter",
      "Send api_type with the input: it says which operation takes it.",
      {
        param: "api_type",
      },
    );
  const { model: _, ...input } = told;
  delete input[confirmation];
  checkInput(input);
  const files = filesIn(input, config.publicUrl).map(({ path }) => path);
  return { ...unknown, input: stored(input, files) };
}

/** Without what is asked of every run anew, and without files: where they were is null. */
function stored(input: Json, files: readonly string[]): Json {
  const { [confirmation]: _, ...rest } = withValueAt(input, files, null);
  return rest;
}
