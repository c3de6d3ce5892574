import { randomBytes } from "node:crypto";
import type { RouteOptions } from "fastify";
import { pino } from "pino";
import type { ApiKeyCreate } from "#contract/accounts/keys.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import type { Role } from "#contract/accounts/roles.ts";
import { attest } from "#gateway/accounts/attestations/attest.ts";
import { statements } from "#gateway/accounts/attestations/statements.ts";
import { createAccount } from "#gateway/accounts/create-account.ts";
import { createKey } from "#gateway/accounts/keys/create.ts";
import { signIn } from "#gateway/accounts/sessions/sign-in.ts";
import type { Context } from "#gateway/context.ts";
import type { Config } from "#gateway/core/config.ts";
import { serializeError } from "#gateway/database/failed-query.ts";
import { startGateway } from "#gateway/gateway.ts";
import { describeRoutes } from "#gateway/http/openapi.ts";
import { closeContext, openContext } from "#gateway/open-context.ts";
import { CheckedAnswers } from "./checked-answers.ts";
import { testConfig } from "./config.ts";
import { createTestDatabase } from "./database.ts";

export const testPassword = "correct-horse-battery";

/** Runs wait this part of the time for their next step. */
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

export interface TestGateway {
  /** Ends in `/v1`. */
  url: string;
  context: Context;
  /** What was logged, one JSON line each. */
  logLines: string[];
  /** Every route, as it was added. */
  routes: RouteOptions[];
  createAccount(): Promise<TestAccount>;
  /** Invites somebody new, who accepts; or the same person as before joins another account. */
  addMember(account: TestAccount, role: Role, same?: TestMember): Promise<TestMember>;
  createKey(accountId: string, input?: Partial<ApiKeyCreate>): Promise<string>;
  /** Attests as the owner would in the console. */
  attest(account: TestAccount, ...kinds: ("adult" | "portrait_rights")[]): Promise<void>;
  close(): Promise<void>;
}

/** The whole gateway — api, workers, sweeps — on a free port, with its own database and data folder. */
export async function startTestGateway(overrides: Partial<Config> = {}): Promise<TestGateway> {
  const logLines: string[] = [];
  const log = pino(
    { level: "info", serializers: { err: serializeError } },
    { write: (line: string) => void logLines.push(line) },
  );
  const config = testConfig({ port: 0, host: "127.0.0.1", ...overrides });
  const context = await openContext(config, log, await createTestDatabase());
  const answers = new CheckedAnswers();
  const routes: RouteOptions[] = [];
  const gateway = await startGateway(context, {
    waitFactor: testWaitFactor,
    prepare: (app) => {
      answers.observe(app, (added) => describeRoutes(added, context));
      app.addHook("onRoute", (route) => void routes.push(route));
    },
  });
  // The port is known only now; signed URLs and poll_url must name it.
  config.port = gateway.port ?? 0;
  config.publicUrl = `http://127.0.0.1:${config.port}`;
  let made = 0;
  return {
    url: `${config.publicUrl}/v1`,
    context,
    logLines,
    routes,
    async createAccount() {
      made += 1;
      const email = `owner-${made}-${randomBytes(4).toString("hex")}@example.com`;
      const account = await context.database.transaction(async (queries) => {
        const ids = await createAccount(queries, { name: `Account ${made}`, email, password: testPassword });
        return { ...ids, key: (await createKey(queries, ids.accountId, { name: "test" }, null)).secret };
      });
      const session = await signIn(
        context,
        { email, password: testPassword },
        { ip: "127.0.0.1", requestId: null },
      );
      return { ...account, email, session: session.token };
    },
    async addMember(account, role, same) {
      made += 1;
      const email = same?.email ?? `${role}-${made}-${randomBytes(4).toString("hex")}@example.com`;
      const at = { url: `${config.publicUrl}/v1` };
      const invited = await call(at, account.session, "POST", "/account/invitations", { email, role });
      const name = `${role} ${made}`;
      const token = String(invited.body.token);
      const accept = { token, password: testPassword, ...(!same && { name }) };
      const { body } = await call(at, null, "POST", "/account/invitations/accept", accept);
      const { user } = body.account as { user: { id: string } };
      return { userId: user.id, email, session: String(body.token) };
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
        maxConcurrency: null,
        monthlyBudget: null,
        memberBudget: null,
        hasMoneyLimit: false,
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
      await closeContext(context);
      answers.refuseUndescribed();
    },
  };
}

/** A JSON call of the gateway with a bearer; the parsed body and the response. */
export async function call(
  gateway: Pick<TestGateway, "url">,
  bearer: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
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

/** Calls a gateway that is there only later, as tests do from their top level. */
export function sender(gateway: () => Pick<TestGateway, "url">) {
  return (
    bearer: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => call(gateway(), bearer, method, path, body, headers);
}

/** What a refused call matches. */
export const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });
