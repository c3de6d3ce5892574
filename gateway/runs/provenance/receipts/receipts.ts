import { hash, randomBytes, sign, verify } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { AttestationKind } from "#contract/attestations.ts";
import { timeOfId } from "#contract/ids.ts";
import type { Cost } from "#contract/money/cost.ts";
import { operatorReceiptRoutes } from "#contract/operator/signing.ts";
import {
  maxReceiptBytes,
  type Receipt,
  type ReceiptCheck,
  type ReceiptKind,
  type SignedReceipt,
} from "#contract/receipts.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { readCost } from "#gateway/billing/usage/run-cost.ts";
import { readDeliveriesOf } from "#gateway/events/webhooks/deliveries/of-predictions.ts";
import { sandboxName } from "#gateway/models/providers/file/check.ts";
import { replaceAt } from "#gateway/models/providers/media/inputs.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { canonicalJson, hashOfJson } from "#gateway/platform/core/canonical-json.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { decodedExactly } from "#gateway/platform/core/console-secret.ts";
import { and, eq } from "#gateway/platform/database/drizzle.ts";
import { outputs } from "#gateway/platform/database/schema.ts";
import type { ReceiptFacts, SaltedHash } from "#gateway/platform/database/tables/predictions.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { currentKey, findPublicKey, publicKeys, rotateKey } from "./keys.ts";

const keysPath = "/.well-known/gatehouse-receipts.json";

const keysCachedSeconds = 300;

export function installReceiptKeys(app: App, context: RunsContext): void {
  serve(app, context, operatorReceiptRoutes, {
    "GET /operator/receipt_keys": () => publicKeys(context),
    "POST /operator/receipt_keys/rotate": (request) => rotateKey(context, request.caller),
  });
}

/** The public keys for everybody, outside `/v1`. */
export function installPublicReceiptKeys(app: App, context: RunsContext): void {
  const config = { public: true, extension: true, limitedByAddress: true } as const;
  app.get(keysPath, { config }, async (_request, reply) =>
    sendCanonical(
      // Pages of any site may check receipts.
      reply.headers({
        "access-control-allow-origin": "*",
        "cache-control": `public, max-age=${keysCachedSeconds}`,
      }),
      await publicKeys(context),
    ),
  );
}

/** The parts of a receipt that differ between predictions, responses and sync runs. */
export interface ReceiptSubject {
  id: string;
  kind: ReceiptKind;
  model: string;
  operation: string;
  region: string;
  /** Overrides the provider in `facts`. */
  provider?: string | null;
  status: string;
  errorCode: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  cost: Cost | null;
  /** Null if the run has not ended, or ended without a receipt. */
  facts: ReceiptFacts | null;
  hasEnded: boolean;
  /** Selects the deliveries of the run. */
  deliveries: Parameters<typeof readDeliveriesOf>[2];
}

/**
 * Signs the current facts about a run and sends them as a receipt. Throws `receipt_not_available`,
 * `service_unavailable`.
 */
export async function sendReceipt(
  context: RunsContext,
  reply: FastifyReply,
  actor: Actor,
  subject: ReceiptSubject,
): Promise<FastifyReply> {
  const { facts, id } = subject;
  if (!facts)
    throw new ApiError(
      "receipt_not_available",
      subject.hasEnded
        ? `${id} ended before this gateway made receipts, so it has none.`
        : `${id} has not ended. Request its receipt when it has.`,
    );
  const receipt = await statementOf(context, actor, subject, facts);
  const { kid, key } = await currentKey(context);
  const value = sign(null, Buffer.from(canonicalJson(receipt)), key).toString("base64");
  const signed: SignedReceipt = { receipt, signature: { alg: "EdDSA", kid, value } };
  return sendCanonical(
    reply.header("content-disposition", `attachment; filename="receipt-${id}.json"`),
    signed,
  );
}

async function statementOf(
  context: RunsContext,
  actor: Actor,
  subject: ReceiptSubject,
  { gates, input, output, outputFiles, provider: settledBy = null }: ReceiptFacts,
): Promise<Receipt> {
  const { accountId } = actor;
  const { provider = settledBy } = subject;
  const { queries } = context.database;
  const deliveries = actor.permissions.has("deliveries:read")
    ? await readDeliveriesOf(queries, accountId, subject.deliveries)
    : null;
  return {
    ...{ object: "receipt", version: 1, issuer: context.config.publicUrl },
    ...{ issued_at: clock.date().toISOString(), id: subject.id, kind: subject.kind, account_id: accountId },
    ...{ model: subject.model, operation: subject.operation, region: subject.region, provider },
    sandbox: provider === sandboxName,
    ...{ status: subject.status, error_code: subject.errorCode },
    created_at: subject.createdAt.toISOString(),
    started_at: subject.startedAt?.toISOString() ?? null,
    completed_at: subject.completedAt?.toISOString() ?? null,
    gates: gates.map(({ gate, statementVersion }) => ({ gate, statement_version: statementVersion })),
    ...{ input, output: output ?? null, output_files: outputFiles },
    cost: subject.cost,
    deliveries,
  };
}

/**
 * Sends the text unchanged: a serializer would sort the fields by the schema, and the signature would no
 * longer match.
 */
function sendCanonical(reply: FastifyReply, document: object): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(canonicalJson(document));
}

/**
 * Sends the receipt of a sync run, which is found through its files. Throws `prediction_not_found`, and as
 * `sendReceipt`.
 */
export async function sendReceiptOfSyncRun(
  context: RunsContext,
  reply: FastifyReply,
  actor: Actor,
  id: string,
): Promise<FastifyReply> {
  const [first] = await context.database.queries
    .select()
    .from(outputs)
    .where(and(eq(outputs.runId, id), eq(outputs.position, 1), eq(outputs.accountId, actor.accountId)));
  if (!first)
    throw new ApiError(
      "prediction_not_found",
      `There is no run ${id} with stored files. A synchronous run has a receipt only if it made files.`,
    );
  return sendReceipt(context, reply, actor, {
    ...{
      id,
      kind: "run",
      cost: await readCost(context, actor.accountId, id),
      model: first.model,
      operation: first.apiType ?? "",
    },
    ...{ region: first.svcRegion ?? "", status: "succeeded", errorCode: null },
    ...{ createdAt: new Date(timeOfId(id)), startedAt: null, completedAt: first.createdAt },
    ...{ facts: first.receipt, hasEnded: true, deliveries: { predictionId: id } },
  });
}

/** A file that starts like this is treated as a receipt. */
const beginning = /^\s*\{\s*"receipt"\s*:/;

/** A receipt as it was sent: it contains the signed bytes unchanged, so nothing is parsed before they are checked. */
const form =
  /^\{"receipt":(\{.*\}),"signature":\{"alg":"EdDSA","kid":"([\w-]{1,100})","value":"([A-Za-z0-9+/=]{1,200})"\}\}\s*$/s;

/**
 * Whether a file is a receipt that this installation signed, byte for byte; null if the file is not a
 * receipt.
 */
export async function checkReceipt(
  { database }: Pick<RunsContext, "database">,
  file: { sizeBytes: number; bytes: () => Promise<Buffer | null> },
): Promise<ReceiptCheck | null> {
  if (file.sizeBytes > maxReceiptBytes) return null;
  // Decoded as latin1, one character per byte, so that a changed byte cannot give the same text.
  const text = (await file.bytes())?.toString("latin1") ?? "";
  if (!beginning.test(text)) return null;
  const [, signed = "", kid, signature = ""] = form.exec(text) ?? [];
  if (kid === undefined) return { state: "changed", kid: null, receipt: null };
  const key = await findPublicKey(database.queries, kid);
  if (!key) return { state: "unknown_key", kid, receipt: null };
  const bytes = Buffer.from(signed, "latin1");
  const isValid = verify(null, bytes, key, decodedExactly(signature, "base64"));
  return isValid
    ? { state: "valid", kid, receipt: JSON.parse(bytes.toString()) as Receipt }
    : { state: "changed", kid, receipt: null };
}

const saltBytes = 16;

/** The inputs and results of a run at the time when it is settled. */
interface SettledRun {
  model: string;
  input: unknown;
  /** The output of a response. */
  output?: unknown;
  /** The provider that ran it, as `ReceiptFacts` names it. */
  provider?: string | null;
  /** The hashes of the stored files, in their order; undefined: a process of an earlier release did not hash it. */
  fileHashes: readonly (string | undefined)[];
}

/**
 * Collects the content of a receipt when the run settles, because input and outputs are removed later.
 * `gatesOf`: the result of `attestationsToLook`. A run passes a gate only with the current version of its
 * statement, which may change with a release.
 */
export async function takeFacts(
  gatesOf: (model: string) => readonly AttestationKind[],
  { model, input, output, fileHashes, provider }: SettledRun,
): Promise<ReceiptFacts> {
  const gates: ReceiptFacts["gates"] = gatesOf(model).map((kind) => ({
    gate: kind,
    statementVersion: statements[kind].version,
  }));
  return {
    ...(provider !== undefined && { provider }),
    gates: isConfirmed(input)
      ? [...gates, { gate: "person_rights_confirmation", statementVersion: null }]
      : gates,
    input: await hashOfContent(input),
    ...(output !== undefined && { output: await hashOfContent(output) }),
    outputFiles: fileHashes.map((sha256) => (sha256 === undefined ? null : hashOfFile(sha256))),
  };
}

function isConfirmed(input: unknown): boolean {
  return (input as { person_rights_confirmed?: unknown } | null)?.person_rights_confirmed === true;
}

async function hashOfContent(content: unknown): Promise<SaltedHash> {
  const salt = newSalt();
  return { salt, sha256: await hashOfJson(content, salt) };
}

/** `sha256` is the hash of the file's bytes, so the file need not be read again. */
function hashOfFile(sha256: string): SaltedHash {
  const salt = newSalt();
  return { salt, sha256: hash("sha256", salt + sha256) };
}

function newSalt(): string {
  return randomBytes(saltBytes).toString("hex");
}

/** The input with each file replaced by `sha256:` and the hash of its bytes, so that it does not depend on an address. */
export function withHashes(
  input: Record<string, unknown>,
  media: readonly { path: string; sha256?: string }[],
): Record<string, unknown> {
  if (media.length === 0) return input;
  const copy = structuredClone(input);
  for (const { path, sha256 } of media)
    if (sha256 !== undefined) replaceAt(copy, path, () => `sha256:${sha256}`);
  return copy;
}
