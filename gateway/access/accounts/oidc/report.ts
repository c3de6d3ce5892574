import type { ClaimsReport } from "#contract/accounts/oidc.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, gt, inArray, isNotNull } from "#gateway/platform/database/drizzle.ts";
import { accounts, providerSignIns } from "#gateway/platform/database/schema.ts";
import { assertOperator } from "../operator.ts";
import type { SignInRow } from "./attempts.ts";
import { allClaims, domainRefusal, emailOf } from "./claims.ts";
import { decideRoles, rolesOfNewMember } from "./decide-roles.ts";
import { firstAccount } from "./memberships.ts";
import type { ProvedClaims } from "./proved-claims.ts";

/** Keeps what the provider sent, and what would follow, for the operator who asked; it goes with the attempt. */
export async function saveReport(
  queries: Queries,
  settings: OidcConfig,
  { stateHash }: SignInRow,
  proved: ProvedClaims,
): Promise<void> {
  const report = await reportOf(queries, settings, proved);
  await queries.update(providerSignIns).set({ report }).where(eq(providerSignIns.stateHash, stateHash));
}

/** The operator's last report, if it is not older than ten minutes. Throws `operator_required`. */
export async function lastReport(queries: Queries, actor: Actor): Promise<ClaimsReport | null> {
  await assertOperator(queries, actor);
  const [row] = await queries
    .select({ report: providerSignIns.report })
    .from(providerSignIns)
    .where(
      and(
        eq(providerSignIns.userId, actor.id),
        isNotNull(providerSignIns.report),
        gt(providerSignIns.expiresAt, clock.date()),
      ),
    )
    .orderBy(desc(providerSignIns.usedAt))
    .limit(1);
  return row?.report ?? null;
}

async function reportOf(queries: Queries, settings: OidcConfig, proved: ProvedClaims): Promise<ClaimsReport> {
  const claims = allClaims(proved);
  const email = emailOf(proved);
  const first = await firstAccount(queries);
  const decision = decideRoles(settings, claims, first);
  const given = rolesOfNewMember(settings, decision, first);
  const named = await queries
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(
      inArray(
        accounts.id,
        given.map(({ accountId }) => accountId),
      ),
    );
  const noRole = given.length === 0 ? "No rule gives this person a role." : null;
  return {
    object: "claims_report",
    at: clock.date().toISOString(),
    claims,
    email: email?.address ?? null,
    email_verified: email?.verified ?? false,
    refusal: domainRefusal(settings, claims, email) ?? noRole,
    role_claim: decision.state,
    role_values: decision.values,
    unmapped_values: decision.unmapped,
    roles: given.map(({ accountId, role, by }) => ({
      account_id: accountId,
      account_name: named.find(({ id }) => id === accountId)?.name ?? null,
      role,
      by,
    })),
  };
}
