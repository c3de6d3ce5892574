import type { Maker } from "#contract/accounts/people.ts";
import type { ErrorDetail } from "#contract/error.ts";
import type { Preset, PresetSummary } from "#contract/presets.ts";
import { type Made, readMakers } from "#gateway/access/accounts/people.ts";
import type { Context } from "#gateway/context.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import { confirmation } from "./check.ts";
import type { PresetRow } from "./find.ts";
import { withValueAt } from "./input.ts";
import { usableInput } from "./media.ts";

/** Stands where a file was, so that its absence is not taken for a change of the schema. */
const anyFile = "upload://removed";

type Changed = Pick<PresetRow, "changedByKeyId" | "changedByUserId">;

/** Who changed the preset last, as `readMakers` takes them. */
export function changerOf({ changedByKeyId: keyId, changedByUserId: userId }: Changed): Made {
  return { keyId, userId };
}

export function hasChanger({ changedByKeyId, changedByUserId }: Changed): boolean {
  return changedByKeyId !== null || changedByUserId !== null;
}

export function presetSummary(
  { catalog }: Context,
  row: Omit<PresetRow, "input" | "media">,
  makerOf: (made: Made) => Maker,
): PresetSummary {
  const { operation } = catalog.operation(row.model, row.apiType, row.accountId) ?? {};
  return {
    id: row.id,
    object: "preset",
    name: row.name,
    model: row.model,
    api_type: row.apiType,
    schema_version: row.schemaVersion,
    current_schema_version: operation?.schema_version ?? null,
    version: row.version,
    made_by: makerOf(row),
    changed_by: hasChanger(row) ? makerOf(changerOf(row)) : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A preset with what can still be used of its input. */
export async function presetView(context: Context, row: PresetRow): Promise<Preset> {
  const { queries } = context.database;
  const makerOf = await readMakers(queries, [row, changerOf(row)]);
  const { input, media, gone } = await usableInput(queries, row.accountId, row);
  const compiled = context.catalog.operation(row.model, row.apiType, row.accountId);
  const hasChanged = compiled && compiled.operation.schema_version !== row.schemaVersion;
  return {
    ...presetSummary(context, row, makerOf),
    input,
    media,
    problems: hasChanged ? problemsOf(compiled, withValueAt(row.input, gone, anyFile)) : [],
  };
}

function problemsOf(compiled: CompiledOperation, input: Record<string, unknown>): ErrorDetail[] {
  const body = { ...input, model: compiled.model.id };
  const unlisted = compiled.unlisted(body).map((name) => ({
    path: `/${name}`,
    keyword: "additionalProperties",
    message: "is not in the schema any more",
  }));
  return [...unlisted, ...compiled.validate(body)].filter(({ path }) => path !== `/${confirmation}`);
}
