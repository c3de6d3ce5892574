import { newId } from "#contract/ids.ts";
import type { List } from "#contract/list.ts";
import {
  maxCountedFiles,
  type OperatorReport,
  type OperatorReportDetail,
  operatorReportRoutes,
  type Report,
  type ReportCreate,
  type ReportQuery,
  type ReportReceived,
  reportRoutes,
} from "#contract/reports.ts";
import { reportLimits } from "#contract/share-constants.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import { accountName } from "#gateway/access/accounts/people.ts";
import { barFile } from "#gateway/files/storage/barred-files.ts";
import type { Actor, Caller } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { findOwn, lockName, readPage } from "#gateway/platform/database/account-rows.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt, inArray, or, type SQL, sql } from "#gateway/platform/database/drizzle.ts";
import { keyset } from "#gateway/platform/database/keyset.ts";
import { agedRowSweep } from "#gateway/platform/database/row-sweep.ts";
import { accounts, outputs, reports, shares } from "#gateway/platform/database/schema.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { addressBlock } from "#gateway/platform/network/address-rules.ts";
import { recordCause } from "#gateway/platform/outbox/outbox.ts";
import type { WorkspaceContext } from "#gateway/workspace/context.ts";
import { findShared, linkOver, tokenOf } from "#gateway/workspace/shares/open-links.ts";
import { type Removal, removeSome } from "./remove-identical.ts";

/*
 * A visitor who opened a link can report a file in it. The report removes nothing: it notifies the owners of
 * the account and the operators, who decide independently of each other.
 */

/** Reports of shared files, for their visitors, the account's owners, and the operators. */
export function installReports(app: App, context: WorkspaceContext): void {
  serve(app, context, reportRoutes, {
    "POST /shared/{token}/reports": (request) =>
      receiveReport(context, request.params.token, request.body, {
        viewer: request.actor,
        address: request.clientAddress,
      }),
    "GET /reports": ({ caller, query }) => listReports(context, caller.actor.accountId, query),
    "GET /reports/{id}": ({ caller, params }) => getReport(context, caller.actor.accountId, params.id),
    "POST /reports/{id}/remove": ({ caller, params }) => removeReported(context, caller, params.id),
    "POST /reports/{id}/dismiss": ({ caller, params }) => dismissReport(context, caller, params.id),
  });
  serve(app, context, operatorReportRoutes, {
    "GET /operator/reports": ({ query }) => listAllReports(context, query),
    "GET /operator/reports/{id}": ({ params }) => getAnyReport(context, params.id),
    "POST /operator/reports/{id}/remove": ({ caller, params }) =>
      removeEverywhere(context, caller, params.id),
    "POST /operator/reports/{id}/dismiss": ({ caller, params }) =>
      dismissAsOperator(context, caller, params.id),
  });
}

type ReportRow = typeof reports.$inferSelect;

const reportsOfAddress: Limit = { name: "reports", count: reportLimits.perHour, periodMs: 3_600_000 };

interface Visitor {
  viewer: Actor | null;
  address: string;
}

/**
 * Stores a report of a link's file and notifies the owners of its account and the operators. Throws `rate_limit_exceeded`,
 * `share_not_found`, `too_many_reports`, and as `findShared` for a visitor who may not see the file.
 */
async function receiveReport(
  context: WorkspaceContext,
  token: string,
  { file, reason, comment, email }: ReportCreate,
  { viewer, address }: Visitor,
): Promise<ReportReceived> {
  const taken = await context.limiter.take(addressBlock(address), reportsOfAddress);
  if (!taken.allowed)
    throw tooManyRequests(`More than ${reportLimits.perHour} reports an hour came from this address.`, taken);
  const { row: share, outputs: shown } = await findShared(context, token, viewer);
  const output = shown[(file ?? 1) - 1]?.output;
  if (!output?.file) throw linkOver();
  const { accountId, model } = output;
  return context.database.transaction(async (queries) => {
    await assertRoom(queries, accountId, share.id);
    const [made] = await queries
      .insert(reports)
      .values({
        id: newId("report"),
        accountId,
        shareId: share.id,
        outputId: output.id,
        sha256: output.sha256,
        reason,
        comment: comment?.trim() ?? "",
        email,
      })
      .returning();
    const account = await accountName(queries, accountId);
    if (!made || account === null) throw linkOver();
    const about = { subjectId: output.id, data: { model, reason, report_id: made.id } };
    await recordCause(queries, { cause: "share.reported", accountId, ...about });
    await recordCause(queries, {
      ...about,
      cause: "file.reported",
      accountId: null,
      data: { ...about.data, account },
    });
    return { id: made.id, object: "report_received", created_at: made.createdAt.toISOString() };
  });
}

/** An account's reports are stored one at a time, so that their number stays within the limits. */
async function assertRoom(queries: Queries, accountId: string, shareId: string): Promise<void> {
  await lockName(queries, `reports of ${accountId}`);
  const open = and(eq(reports.accountId, accountId), eq(reports.status, "open"));
  const ofLink = await queries.$count(reports, and(open, eq(reports.shareId, shareId)));
  if (
    ofLink >= reportLimits.openPerLink ||
    (await queries.$count(reports, open)) >= reportLimits.openPerAccount
  )
    throw new ApiError(
      "too_many_reports",
      "This link was reported by several people already. Its owners and the operator have been notified, and have not decided yet.",
    );
}

/** The reports of an account, newest first. */
function listReports(
  context: WorkspaceContext,
  accountId: string,
  query: ReportQuery,
): Promise<List<Report>> {
  const { queries } = context.database;
  const { status } = query;
  const page = keyset("report", reports.id, query, [
    eq(reports.accountId, accountId),
    status === undefined ? undefined : eq(reports.status, status),
  ]);
  return readPage(queries, page, queries.select().from(reports).$dynamic(), (rows) =>
    reportViews(context, accountId, rows),
  );
}

/** Throws `report_not_found`, also for another account's. */
async function getReport(context: WorkspaceContext, accountId: string, id: string): Promise<Report> {
  const row = await findOwn(context.database.queries, reports, { accountId, id }, reportNotFound);
  const [view] = await reportViews(context, accountId, [row]);
  return view as Report;
}

/**
 * Bars a reported file in the account, and begins to remove it with all identical files. This also decides
 * every open report of the same bytes in the account. Repeating the call changes nothing. Throws
 * `report_not_found`.
 */
async function removeReported(context: WorkspaceContext, caller: Caller, id: string): Promise<Report> {
  const { accountId } = caller.actor;
  const sha256 = await audited(context, caller, "report.removed", async (queries) => {
    const row = await findOwn(queries, reports, { accountId, id, lock: "update" }, reportNotFound);
    if (row.status === "removing" || row.status === "removed") return { unchanged: row.sha256 };
    await barFile(queries, row.sha256, accountId);
    await queries
      .update(reports)
      .set({ status: "removing", decidedAt: clock.date() })
      .where(
        and(
          eq(reports.accountId, accountId),
          eq(reports.sha256, row.sha256),
          or(eq(reports.status, "open"), eq(reports.id, id)),
        ),
      );
    return { target: id, detail: detailOf(row, "account"), result: row.sha256 };
  });
  await removeNow(context, { sha256, accountId });
  return getReport(context, accountId, id);
}

/**
 * Removes the first batch at once. The sweep removes the remaining files, and repeats this batch if it fails.
 */
async function removeNow(context: WorkspaceContext, removal: Removal): Promise<void> {
  await removeSome(context, removal).catch((err: unknown) =>
    context.log.warn({ err }, "reported files could not be removed yet"),
  );
}

/** Closes a report: the file stays. Throws `report_not_found`, `report_decided`. */
async function dismissReport(context: WorkspaceContext, caller: Caller, id: string): Promise<Report> {
  const { accountId } = caller.actor;
  await audited(context, caller, "report.dismissed", async (queries) => {
    const row = await findOwn(queries, reports, { accountId, id, lock: "update" }, reportNotFound);
    assertOpen(row.status);
    await queries
      .update(reports)
      .set({ status: "dismissed", decidedAt: clock.date() })
      .where(eq(reports.id, id));
    return { target: id, detail: detailOf(row, "account"), result: null };
  });
  return getReport(context, accountId, id);
}

/** The reports of all accounts, newest first; `status` is the operators' decision. */
function listAllReports(context: WorkspaceContext, query: ReportQuery): Promise<List<OperatorReport>> {
  const { queries } = context.database;
  const { status } = query;
  const page = keyset("report", reports.id, query, [
    status === undefined ? undefined : eq(reports.operatorStatus, status),
  ]);
  return readPage(queries, page, queries.select().from(reports).$dynamic(), (rows) =>
    operatorViews(context, rows),
  );
}

/** Throws `report_not_found`. */
async function getAnyReport(context: WorkspaceContext, id: string): Promise<OperatorReportDetail> {
  const row = await findAny(context.database.queries, id);
  const [[view], copies] = await Promise.all([
    operatorViews(context, [row]),
    countEverywhere(context.database.queries, row.sha256),
  ]);
  return { ...(view as OperatorReport), copies };
}

/**
 * Bars a reported file in all accounts, and begins to remove it with all identical files. This also decides
 * every open report of the same bytes, including the owners' decision, because their file is removed too.
 * Repeating the call changes nothing. Throws `report_not_found`.
 */
async function removeEverywhere(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
): Promise<OperatorReport> {
  const sha256 = await audited(context, caller, "report.removed", async (queries) => {
    const row = await findAny(queries, id, true);
    if (row.operatorStatus === "removing" || row.operatorStatus === "removed")
      return { unchanged: row.sha256 };
    await barFile(queries, row.sha256, null);
    const now = clock.date();
    const same = eq(reports.sha256, row.sha256);
    await queries
      .update(reports)
      .set({ operatorStatus: "removing", operatorDecidedAt: now })
      .where(and(same, or(eq(reports.operatorStatus, "open"), eq(reports.id, id))));
    await queries
      .update(reports)
      .set({ status: "removing", decidedAt: now })
      .where(and(same, or(eq(reports.status, "open"), eq(reports.id, id))));
    return { target: id, detail: detailOf(row, "installation"), result: row.sha256 };
  });
  await removeNow(context, { sha256, accountId: null });
  return operatorView(context, id);
}

/** Closes a report for the operators only. Throws `report_not_found`, `report_decided`. */
async function dismissAsOperator(
  context: WorkspaceContext,
  caller: Caller,
  id: string,
): Promise<OperatorReport> {
  await audited(context, caller, "report.dismissed", async (queries) => {
    const row = await findAny(queries, id, true);
    assertOpen(row.operatorStatus);
    await queries
      .update(reports)
      .set({ operatorStatus: "dismissed", operatorDecidedAt: clock.date() })
      .where(eq(reports.id, id));
    return { target: id, detail: detailOf(row, "installation"), result: null };
  });
  return operatorView(context, id);
}

async function operatorView(context: WorkspaceContext, id: string): Promise<OperatorReport> {
  const [view] = await operatorViews(context, [await findAny(context.database.queries, id)]);
  return view as OperatorReport;
}

async function findAny(queries: Queries, id: string, isLocked = false): Promise<ReportRow> {
  const query = queries.select().from(reports).where(eq(reports.id, id)).$dynamic();
  const [row] = await (isLocked ? query.for("update") : query);
  if (!row) throw reportNotFound();
  return row;
}

function detailOf(row: ReportRow, scope: "account" | "installation"): Record<string, unknown> {
  return { scope, sha256: row.sha256, output_id: row.outputId, share_id: row.shareId, reason: row.reason };
}

function assertOpen(status: ReportRow["status"]): void {
  if (status !== "open")
    throw new ApiError("report_decided", `This report was decided already: it is ${status}. Load it again.`);
}

function reportNotFound(): ApiError {
  return new ApiError("report_not_found", "There is no such report. GET /v1/reports lists them.");
}

/** The reports as the owners of the account see them. */
async function reportViews(
  context: WorkspaceContext,
  accountId: string,
  rows: readonly ReportRow[],
): Promise<Report[]> {
  const { queries } = context.database;
  const [partsOf, copiesOf] = await Promise.all([
    readParts(context, rows),
    countInAccount(queries, accountId, rows),
  ]);
  return rows.map((row) => ({
    id: row.id,
    object: "report",
    output_id: row.outputId,
    ...partsOf(row),
    status: row.status,
    decided_at: row.decidedAt?.toISOString() ?? null,
    removed_files: row.removedFiles,
    removed_by_operator: row.operatorStatus === "removing" || row.operatorStatus === "removed",
    copies: copiesOf(row.sha256),
  }));
}

async function operatorViews(
  context: WorkspaceContext,
  rows: readonly ReportRow[],
): Promise<OperatorReport[]> {
  const ids = [...new Set(rows.map(({ accountId }) => accountId))];
  const [partsOf, named] = await Promise.all([
    readParts(context, rows),
    context.database.queries
      .select({ id: accounts.id, name: accounts.name })
      .from(accounts)
      .where(inArray(accounts.id, ids)),
  ]);
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    object: "operator.report",
    account: { id: row.accountId, name: names.get(row.accountId) ?? row.accountId },
    ...partsOf(row),
    status: row.operatorStatus,
    decided_at: row.operatorDecidedAt?.toISOString() ?? null,
    removed_files: row.operatorRemovedFiles,
  }));
}

/** The fields of a report that both owners and operators see. */
async function readParts(context: WorkspaceContext, rows: readonly ReportRow[]) {
  const { queries } = context.database;
  const [made, working] = await Promise.all([
    queries
      .select({ id: outputs.id, model: outputs.model, contentType: outputs.contentType })
      .from(outputs)
      .where(
        inArray(
          outputs.id,
          rows.map(({ outputId }) => outputId),
        ),
      ),
    queries
      .select({ id: shares.id })
      .from(shares)
      .where(
        and(
          inArray(
            shares.id,
            rows.map(({ shareId }) => shareId),
          ),
          gt(shares.expiresAt, clock.date()),
        ),
      ),
  ]);
  const outputOf = new Map(made.map((output) => [output.id, output]));
  const works = new Set(working.map(({ id }) => id));
  return (row: ReportRow) => ({
    model: outputOf.get(row.outputId)?.model ?? "",
    content_type: outputOf.get(row.outputId)?.contentType ?? "",
    sha256: row.sha256,
    shared_url: works.has(row.shareId)
      ? `${context.config.consoleUrl}/public/shared/${tokenOf(context, row.shareId)}`
      : null,
    reason: row.reason,
    comment: row.comment,
    email: row.email,
    created_at: row.createdAt.toISOString(),
  });
}

/** SQL: the hash column of `outputs_hash` for an account and a hash. */
const hashOf = (accountId: SQL, sha256: SQL) => sql`hashtextextended(${accountId} || ${sha256}, 0)`;

/**
 * How many files of the account have each of these hashes. Files of other accounts are not counted, so that
 * owners learn nothing about them. Uploads have no index of hashes, so they are read once for all hashes.
 */
async function countInAccount(queries: Queries, accountId: string, rows: readonly ReportRow[]) {
  const hashes = [...new Set(rows.map(({ sha256 }) => sha256))];
  const owner = sql`${accountId}::text`;
  const same = sql`hashtextextended(o.account_id || o.sha256, 0) = ${hashOf(owner, sql`wanted.sha256`)}
    and o.account_id = ${owner} and o.sha256 = wanted.sha256`;
  const found = await queries.execute<{ sha256: string; files: number; sent: number }>(sql`
    with uploaded as (
      select sha256, count(*) as files from uploads
      where account_id = ${owner} and status in ('uploaded', 'verified') and sha256 = any (${sql.param(hashes)}::text[])
      group by sha256
    )
    select wanted.sha256, least(${maxCountedFiles}, coalesce(uploaded.files, 0) + (select count(*) from (
        select from outputs o where ${same} and o.key is not null
        union all select from outputs o join kept_outputs k on k.output_id = o.id where ${same}
        limit ${maxCountedFiles}) counted))::int as files,
      (select count(*) from (
        select from outputs o join copies c on c.output_id = o.id where ${same} and c.account_id = ${owner} and c.status = 'succeeded'
        limit ${maxCountedFiles}) counted)::int as sent
    from unnest(${sql.param(hashes)}::text[]) wanted (sha256) left join uploaded using (sha256)`);
  const counts = new Map(found.rows.map(({ sha256, files, sent }) => [sha256, { files, sent }]));
  return (sha256: string) => counts.get(sha256) ?? { files: 0, sent: 0 };
}

/**
 * How many files have this hash, and in how many accounts. The index of hashes begins with the account, so
 * the query goes through the accounts.
 */
async function countEverywhere(
  queries: Queries,
  sha256: string,
): Promise<{ files: number; accounts: number }> {
  const same = sql`hashtextextended(o.account_id || o.sha256, 0) = ${hashOf(sql`a.id`, sql`${sha256}::text`)}
    and o.account_id = a.id and o.sha256 = ${sha256}`;
  const { rows } = await queries.execute<{ files: number; accounts: number }>(sql`
    select count(*)::int as files, count(distinct account_id)::int as accounts from (
      select o.account_id from accounts a join outputs o on ${same} where o.key is not null
      union all select o.account_id from accounts a join outputs o on ${same} join kept_outputs k on k.output_id = o.id
      union all select u.account_id from uploads u where u.status in ('uploaded', 'verified') and u.sha256 = ${sha256}
      limit ${maxCountedFiles}) counted`);
  return rows[0] ?? { files: 0, accounts: 0 };
}

/** Deletes reports, with the addresses in them, when they are as old as the oldest kept audit entries. */
export const reportSweep = agedRowSweep({
  kind: "reports",
  table: "reports",
  idKind: "report",
  at: "created_at",
  days: ({ history }) => history.auditDays,
  mayGo: "status <> 'removing' and operator_status <> 'removing'",
});
