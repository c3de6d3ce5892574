import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, desc, eq } from "#gateway/platform/database/drizzle.ts";
import { enrolledVoices } from "#gateway/platform/database/schema.ts";

/** A voice that an upstream enrolled for one account. */
export interface EnrolledVoice {
  id: string;
  provider: string;
  region: string;
  accountId: string;
  /** The catalog entry that enrolled it. */
  model: string;
  targetModel: string | null;
  createdAt: Date;
}

type Scope = Pick<EnrolledVoice, "provider" | "region" | "accountId" | "model">;

/** Records which account owns a voice, because at the upstream all voices belong to the gateway's account. */
export class VoiceBook {
  private readonly queries: Queries;

  constructor(queries: Queries) {
    this.queries = queries;
  }

  async add(voice: EnrolledVoice): Promise<void> {
    await this.queries.insert(enrolledVoices).values(voice);
  }

  /** The account's voice. Throws `voice_not_found`, also for another account's. */
  async find(scope: Scope, id: string): Promise<EnrolledVoice> {
    const [row] = await this.queries
      .select()
      .from(enrolledVoices)
      .where(and(inScope(scope), eq(enrolledVoices.id, id)));
    if (!row) throw notFound(id);
    return row;
  }

  /** Newest first. */
  async list(
    scope: Scope & { pageIndex: number; pageSize: number },
  ): Promise<{ voices: EnrolledVoice[]; total: number }> {
    const [counted] = await this.queries
      .select({ total: count() })
      .from(enrolledVoices)
      .where(inScope(scope));
    const voices = await this.queries
      .select()
      .from(enrolledVoices)
      .where(inScope(scope))
      .orderBy(desc(enrolledVoices.createdAt), desc(enrolledVoices.id))
      .limit(scope.pageSize)
      .offset(scope.pageIndex * scope.pageSize);
    return { voices, total: counted?.total ?? 0 };
  }

  async remove({ provider, region, id }: EnrolledVoice): Promise<void> {
    await this.queries
      .delete(enrolledVoices)
      .where(
        and(
          eq(enrolledVoices.provider, provider),
          eq(enrolledVoices.region, region),
          eq(enrolledVoices.id, id),
        ),
      );
  }

  /**
   * Lets an account use its own voices and voices that no account enrolled here (the upstream's presets).
   * Throws `voice_not_found` for another account's.
   */
  async checkUse(use: Pick<EnrolledVoice, "provider" | "region" | "accountId">, id: string): Promise<void> {
    const [row] = await this.queries
      .select({ accountId: enrolledVoices.accountId })
      .from(enrolledVoices)
      .where(
        and(
          eq(enrolledVoices.provider, use.provider),
          eq(enrolledVoices.region, use.region),
          eq(enrolledVoices.id, id),
        ),
      );
    if (row && row.accountId !== use.accountId) throw notFound(id);
  }
}

function inScope(scope: Scope) {
  return and(
    eq(enrolledVoices.provider, scope.provider),
    eq(enrolledVoices.region, scope.region),
    eq(enrolledVoices.accountId, scope.accountId),
    eq(enrolledVoices.model, scope.model),
  );
}

function notFound(id: string): ProviderError {
  return new ProviderError(
    "voice_not_found",
    `There is no voice "${id.slice(0, 80)}". Create it first, or use one of your other voices.`,
    {
      started: "no",
      param: "voice",
    },
  );
}
