import { randomBytes } from "node:crypto";
import type { RouteOptions } from "fastify";
import { pino } from "pino";
import type { Role } from "#contract/accounts/constants.ts";
import type { ApiKeyCreate } from "#contract/accounts/keys.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import { newId } from "#contract/ids.ts";
import { createAccountOf } from "#gateway/access/accounts/account.ts";
import { attest } from "#gateway/access/accounts/attestations/attestations.ts";
import { statements } from "#gateway/access/accounts/attestations/gates.ts";
import { createKey } from "#gateway/access/accounts/keys/create.ts";
import { addMember } from "#gateway/access/accounts/members/membership.ts";
import { hashPassword } from "#gateway/access/accounts/passwords/password.ts";
import { openSession } from "#gateway/access/accounts/sessions/open.ts";
import { type Context, type Districts, openDistricts } from "#gateway/districts.ts";
import { startGateway } from "#gateway/gateway.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { count, eq } from "#gateway/platform/database/drizzle.ts";
import { serializeError } from "#gateway/platform/database/failed-query.ts";
import { users } from "#gateway/platform/database/schema.ts";
import { describeRoutes } from "#gateway/platform/http/openapi.ts";
import type { Telemetry } from "#gateway/platform/telemetry/telemetry.ts";
import { CheckedAnswers } from "./checked-answers.ts";
import { testConfig } from "./config.ts";
import { createTestDatabase } from "./database.ts";

export const testPassword = "correct-horse-battery";

/** Factor for the pauses between the steps of a run. */
export const testWaitFactor = 0.05;

export interface TestAccount {
  accountId: string;
  userId: string;
  email: string;
  /** An account key with all scopes. */
  key: string;
  /** The bearer of its signed-in owner. */
  session: string;
}

export interface TestMember {
  userId: string;
  email: string;
  session: string;
}

type AttestationKind = "adult" | "portrait_rights";

export interface TestGateway {
  /** Ends in `/v1`. */
  url: string;
  context: Context;
  contexts: Districts["contexts"];
  /** Logged lines, each as JSON. */
  logLines: string[];
  /** Every route, as it was added. */
  routes: RouteOptions[];
  /** With attestations, as its owner would confirm them in the console. */
  createAccount(...attestations: AttestationKind[]): Promise<TestAccount>;
  /** Adds a new member, or adds the previous person to another account. */
  addMember(account: TestAccount, role: Role, same?: TestMember): Promise<TestMember>;
  createKey(accountId: string, input?: Partial<ApiKeyCreate>): Promise<string>;
  /** Attests as the owner would in the console. */
  attest(account: TestAccount, ...kinds: AttestationKind[]): Promise<void>;
  close(): Promise<void>;
}

const here = { ip: "127.0.0.1", requestId: null };
let passwordHash: Promise<string> | undefined;

/**
 * Creates people as set-up and invitations do, but hashes their password only once, because that takes
 * longest.
 */
async function insertPerson(queries: Queries, email: string, name: string): Promise<string> {
  passwordHash ??= hashPassword(testPassword);
  const [before] = await queries.select({ users: count() }).from(users);
  const id = newId("user");
  await queries
    .insert(users)
    .values({ id, email, name, passwordHash: await passwordHash, isOperator: before?.users === 0 });
  return id;
}

/** The whole gateway — api, workers, sweeps — on a free port, with its own database and data folder. */
export async function startTestGateway(
  overrides: Partial<Config> = {},
  telemetry: Telemetry | null = null,
  database?: Database,
): Promise<TestGateway> {
  const logLines: string[] = [];
  const log = pino(
    { level: "info", serializers: { err: serializeError } },
    { write: (line: string) => void logLines.push(line) },
  );
  const config = testConfig({ port: 0, host: "127.0.0.1", ...overrides });
  const districts = await openDistricts({
    ...{ config, log, telemetry },
    database: database ?? (await createTestDatabase()),
  });
  // A service that a test replaces is replaced in the contexts of all districts.
  const context = new Proxy(districts.context, {
    set(all, name, service) {
      for (const one of [all, ...districts.contexts.values()])
        if (name in one) Object.assign(one, { [name]: service });
      return true;
    },
  });
  const answers = new CheckedAnswers();
  const routes: RouteOptions[] = [];
  const gateway = await startGateway(districts, {
    waitFactor: testWaitFactor,
    copyAgain: { firstMs: 10, factor: 1 },
    prepare: (app) => {
      answers.observe(app, (added) => describeRoutes(added, context));
      app.addHook("onRoute", (route) => void routes.push(route));
    },
  });
  // The port is known only now, and signed URLs and poll_url must contain it.
  config.port = gateway.port ?? 0;
  config.publicUrl = `http://127.0.0.1:${config.port}`;
  let made = 0;
  const test: TestGateway = {
    url: `${config.publicUrl}/v1`,
    context,
    contexts: districts.contexts,
    logLines,
    routes,
    async createAccount(...attestations) {
      made += 1;
      const email = `owner-${made}-${randomBytes(4).toString("hex")}@example.com`;
      const name = `Account ${made}`;
      const account = await context.database.transaction(async (queries) => {
        const userId = await insertPerson(queries, email, name);
        const accountId = await createAccountOf(queries, { id: userId, email }, name);
        await queries.update(users).set({ accountId }).where(eq(users.id, userId));
        const key = await createKey(queries, accountId, { name: "test" }, null);
        const session = await openSession(context, queries, userId, "password", here);
        return { accountId, userId, email, key: key.secret, session: session.token };
      });
      await test.attest(account, ...attestations);
      return account;
    },
    async addMember(account, role, same) {
      made += 1;
      const email = same?.email ?? `${role}-${made}-${randomBytes(4).toString("hex")}@example.com`;
      return context.database.transaction(async (queries) => {
        const name = `${role} ${made}`;
        const userId = same?.userId ?? (await insertPerson(queries, email, name));
        const { accountId } = account;
        const actor = { kind: "user" as const, id: userId, userId, name };
        await addMember(queries, { accountId, userId, role }, { actor, ...here });
        const session = await openSession(context, queries, userId, "invitation", here, { accountId });
        return { userId, email, session: session.token };
      });
    },
    async createKey(accountId, input = {}) {
      const key = await context.database.transaction((queries) =>
        createKey(queries, accountId, { name: "test", ...input }, null),
      );
      return key.secret;
    },
    async attest(account, ...kinds) {
      const actor = {
        accountId: account.accountId,
        kind: "user" as const,
        id: account.userId,
        name: account.email,
        sessionId: null,
        userId: account.userId,
        role: "owner" as const,
        answeredBy: account.userId,
        scopes: [],
        permissions: permissionsOfRole("owner"),
        isOperator: false,
        models: null,
        regions: null,
        requestsPerMinute: null,
        tokenLimits: [],
        maxConcurrency: null,
        monthlyBudget: null,
        memberBudget: null,
        hasMoneyLimit: false,
        taskKeys: [],
        expiresAt: null,
      };
      for (const kind of kinds)
        await attest(
          context,
          { actor, ip: "127.0.0.1", requestId: null },
          { kind, statement_version: statements[kind].version, confirmed: true },
        );
    },
    async close() {
      await gateway.stop();
      await districts.close();
      await telemetry?.close();
      answers.refuseUndescribed();
    },
  };
  return test;
}

/** A JSON call of the gateway with a bearer; the parsed body and the response. */
export async function call(
  gateway: Pick<TestGateway, "url">,
  bearer: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    signal,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: Record<string, unknown> = {};
  try {
    parsed = JSON.parse(text) as Record<string, unknown>;
  } catch {
    parsed = { text };
  }
  return { status: response.status, body: parsed, headers: response.headers };
}

/** Calls a gateway that starts later, for tests that define it at their top level. */
export function sender(gateway: () => Pick<TestGateway, "url">) {
  return (
    bearer: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => call(gateway(), bearer, method, path, body, headers);
}

/** The pattern of a refused call. */
export const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });
