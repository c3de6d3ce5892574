import fastify, { type FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { newId } from "#contract/ids.ts";
import { createAccount } from "#gateway/access/accounts/account.ts";
import { createCredentials } from "#gateway/access/accounts/credentials.ts";
import { createKey } from "#gateway/access/accounts/keys/create.ts";
import { createNetworkRule } from "#gateway/access/accounts/networks/rule.ts";
import type { Context } from "#gateway/districts.ts";
import { createCatalog } from "#gateway/models/catalog/load.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { createDrain } from "#gateway/platform/core/drain.ts";
import { readHistory } from "#gateway/platform/database/history.ts";
import { openRetention } from "#gateway/platform/database/retention.ts";
import { type App, installRoute } from "#gateway/platform/http/app.ts";
import { installAuthentication } from "#gateway/platform/http/authenticate.ts";
import { installUnusedConnections } from "#gateway/platform/http/connections.ts";
import { installClientAddress } from "#gateway/platform/http/cross-origin.ts";
import { installErrors } from "#gateway/platform/http/errors.ts";
import { createKeyClaims } from "#gateway/platform/http/key-claims.ts";
import { installValidation } from "#gateway/platform/http/validation.ts";
import { createLimiter } from "#gateway/platform/limits/create-limiter.ts";
import { testConfig } from "#gateway/testing/config.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { installWebhooks } from "../routes.ts";

export interface TestAccount {
  accountId: string;
  /** An account key with all scopes. */
  key: string;
}

export interface Reply {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/**
 * The webhook routes as the server registers them, with their own database and without the rest of the
 * gateway.
 */
export interface WebhookApi {
  context: Context;
  app: App;
  /** Logged lines, each as JSON. */
  logLines: string[];
  createAccount(): Promise<TestAccount>;
  call(key: string | null, method: string, path: string, body?: unknown): Promise<Reply>;
  close(): Promise<void>;
}

export async function startWebhookApi(overrides: Partial<Config>): Promise<WebhookApi> {
  const logLines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logLines.push(line) });
  const database = await createTestDatabase();
  // Webhooks use nothing else of the context; the rule "delivery-cannot-reach-a-provider" enforces it.
  const limiter = await createLimiter(database, log);
  const config = testConfig(overrides);
  const networks = createNetworkRule({ config, database, log });
  const credentials = await createCredentials({ database, limiter, log, networks });
  const retention = await openRetention({ config, database, log });
  const history = await readHistory(database, config);
  const claims = createKeyClaims(database, log);
  const catalog = createCatalog();
  const drain = createDrain(config.drainMs);
  const context = {
    config,
    log,
    database,
    drain,
    history,
    limiter,
    credentials,
    claims,
    catalog,
    retention,
  } as Context;
  const app: App = fastify({ loggerInstance: log as FastifyBaseLogger, genReqId: () => newId("request") });
  installUnusedConnections(app);
  installErrors(app, context);
  installRoute(app);
  installValidation(app);
  installClientAddress(app, context);
  installAuthentication(app, context);
  await app.register(async (scope) => installWebhooks(scope as App, context), { prefix: "/v1" });
  let made = 0;
  return {
    context,
    app,
    logLines,
    async createAccount() {
      made += 1;
      const owner = {
        name: `Account ${made}`,
        email: `owner-${made}@example.com`,
        password: "correct-horse-battery",
      };
      return database.transaction(async (queries) => {
        const { accountId } = await createAccount(queries, owner);
        const { secret } = await createKey(queries, accountId, { name: "test" }, null);
        return { accountId, key: secret };
      });
    },
    async call(key, method, path, body) {
      const response = await app.inject({
        method: method as "GET",
        url: `/v1${path}`,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      return {
        status: response.statusCode,
        body: response.body === "" ? {} : (JSON.parse(response.body) as Record<string, unknown>),
        headers: response.headers,
      };
    },
    async close() {
      await app.close();
      claims.close();
      credentials.close();
      await networks.close();
      retention.close();
      await limiter.close();
      await database.close();
    },
  };
}
