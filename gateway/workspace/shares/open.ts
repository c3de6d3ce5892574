import type { Shared } from "#contract/shares.ts";
import type { Context } from "#gateway/context.ts";
import { everyone } from "#gateway/models/catalog/offered-entry.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { and, eq, gt, sql } from "#gateway/platform/database/drizzle.ts";
import { accounts, shares } from "#gateway/platform/database/schema.ts";
import type { SharedOutput } from "#gateway/platform/database/tables/shares.ts";
import { type FoundOutput, findOutputs } from "#gateway/runs/provenance/find-outputs.ts";
import { withManifests } from "#gateway/runs/provenance/read-outputs.ts";
import { provenanceView } from "#gateway/runs/provenance/view.ts";
import { assertPersonMayLook, gatedAmong } from "./gates.ts";
import { shareOfToken } from "./token.ts";
import type { ShareRow } from "./view.ts";

interface OpenShare {
  row: ShareRow;
  /** In the order of the link; one whose row is gone, too, is missing. */
  outputs: (SharedOutput & { output: FoundOutput })[];
  gated: boolean;
}

/**
 * The link of a token, for somebody who may look at all it shows. Whatever is wrong with a link is answered alike, `share_not_found`; of
 * gated models throws as `assertPersonMayLook`.
 */
async function findShared(context: Context, token: string, viewer: Actor | null): Promise<OpenShare> {
  const id = context.config.shareMaxDays > 0 ? shareOfToken(context, token) : null;
  if (id === null) throw linkOver();
  const { queries } = context.database;
  const [found] = await queries
    .select({ row: shares, allowsGated: accounts.shareGatedOutputs })
    .from(shares)
    .innerJoin(accounts, eq(accounts.id, shares.accountId))
    .where(and(eq(shares.id, id), gt(shares.expiresAt, clock.date())));
  if (!found) throw linkOver();
  const { row, allowsGated } = found;
  const ids = row.outputs.map(({ outputId }) => outputId);
  const known = await findOutputs(queries, row.accountId, ids);
  const outputs = row.outputs.flatMap((shared) => {
    const output = known.find((one) => one.id === shared.outputId);
    return output ? [{ ...shared, output }] : [];
  });
  if (outputs.every(({ output }) => output.file === null)) throw linkOver();
  const gated = await gatedAmong(
    context,
    known.map(({ model }) => model),
  );
  if (gated.size > 0) {
    if (!allowsGated) throw linkOver();
    await assertPersonMayLook(context, viewer, [...gated]);
  }
  return { row, outputs, gated: gated.size > 0 };
}

/** What a link shows. Its opening is counted, once a second at most. */
export async function openShared(context: Context, token: string, viewer: Actor | null): Promise<Shared> {
  const { row, outputs, gated } = await findShared(context, token, viewer);
  const stored = outputs.flatMap(({ output }) =>
    output.file === null ? [] : [{ ...output, key: output.file.key }],
  );
  const [read] = await Promise.all([withManifests(context, stored), countOpening(context, row.id)]);
  const manifests = new Map(read.map(({ id, manifest }) => [id, manifest]));
  const { publicUrl } = context.config;
  return {
    object: "shared",
    files: outputs.map(({ output, prompt, sandbox, width, height, duration }, index) => ({
      url: output.file && `${publicUrl}/v1/shared/${token}/files/${index + 1}`,
      model: output.model,
      model_name: context.catalog.model(output.model, everyone)?.display_name ?? output.model,
      content_type: output.contentType,
      size_bytes: output.sizeBytes,
      width,
      height,
      duration,
      prompt,
      provenance: provenanceView(manifests.get(output.id) ?? null, output.sha256),
      ai_label: sandbox
        ? null
        : `Made with AI: ${output.model}, ${output.createdAt.toISOString().slice(0, 10)}`,
      sandbox,
      created_at: output.createdAt.toISOString(),
      expires_at: output.file?.endsAt?.toISOString() ?? null,
    })),
    gated,
    expires_at: row.expiresAt.toISOString(),
  };
}

/** Where the file at this place of a link is, counted from 1, and the name to save it under. Throws as `findShared`. */
export async function sharedFile(
  context: Context,
  token: string,
  place: string,
  viewer: Actor | null,
): Promise<{ key: string; filename: string }> {
  const { outputs } = await findShared(context, token, viewer);
  const number = Number(place);
  const output = String(number) === place ? outputs[number - 1]?.output : undefined;
  if (!output?.file) throw linkOver();
  return { key: output.file.key, filename: `${output.model.replaceAll("/", "-")}-${place}` };
}

async function countOpening({ database }: Context, id: string): Promise<void> {
  await database.queries
    .update(shares)
    .set({ openings: sql`${shares.openings} + 1`, lastOpenedAt: sql`now()` })
    .where(
      and(
        eq(shares.id, id),
        sql`(${shares.lastOpenedAt} is null or ${shares.lastOpenedAt} < now() - interval '1 second')`,
      ),
    );
}

function linkOver(): ApiError {
  return new ApiError(
    "share_not_found",
    "This link does not work: it was revoked, has ended, its files were removed, or part of the address is missing. Ask the sender for a new one.",
  );
}
