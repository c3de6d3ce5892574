import { beforeAll, describe, expect, it } from "vitest";
import { type Role, roles, type Scope, scopes } from "#contract/accounts/constants.ts";
import {
  type Permission,
  permissions,
  permissionsOfRole,
  permissionsOfScopes,
  rolesWith,
  scopeOf,
} from "#contract/accounts/permissions.ts";
import type { Route } from "#contract/routes/route.ts";
import { routes } from "#contract/routes/table.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

/**
 * `operator`: an operator of the installation. `anyone`: without credentials. `own credential`: the route
 * checks a credential of its own kind. `caller`: any credential. `person`: any session.
 */
type Need = Permission | "operator" | "anyone" | "own credential" | "caller" | "person";

/**
 * A resource's plain routes, `/v1/presets` and `/v1/presets/:id`, take `presets:read` to read and `presets:write` to change. All
 * other routes, and all other permissions, are in the table below.
 */
function plainNeed(route: string): Permission | null {
  const [, method, resource] = /^(\w+) \/v1\/(\w+)(?:\/:id)?$/.exec(route) ?? [];
  const permission = `${resource}:${method === "GET" ? "read" : "write"}`;
  return permissions.find((each) => each === permission) ?? null;
}

/** The credentials that each route accepts. Plain routes are added before these when the gateway has started. */
let needs: Record<string, Need> = {
  "GET /healthz": "anyone",
  "GET /readyz": "anyone",
  "GET /metrics": "own credential",
  "GET /.well-known/gatehouse-receipts.json": "anyone",
  "GET /mcp": "caller",
  "POST /mcp": "caller",
  "DELETE /mcp": "caller",
  "GET /.well-known/oauth-protected-resource": "own credential",
  "GET /.well-known/oauth-protected-resource/mcp": "own credential",
  "GET /.well-known/oauth-authorization-server": "own credential",
  "GET /.well-known/oauth-authorization-server/mcp": "own credential",
  "GET /.well-known/openid-configuration": "own credential",
  "GET /.well-known/openid-configuration/mcp": "own credential",
  "GET /mcp/.well-known/openid-configuration": "own credential",
  "POST /oauth/token": "own credential",
  "POST /oauth/register": "own credential",
  "POST /oauth/revoke": "own credential",
  "GET /v1/openapi.json": "anyone",
  "GET /v1/models": "anyone",
  "GET /v1/models/*": "anyone",
  "GET /v1/models/:namespace/:name/versions": "anyone",
  "GET /v1/models/:namespace/:name/versions/:version": "anyone",
  "GET /v1/regions": "anyone",
  "GET /v1/files/*": "own credential",
  "GET /v1/previews/*": "own credential",
  "PUT /v1/uploads/:id/content": "own credential",
  "PATCH /v1/uploads/:id/content": "own credential",

  "POST /v1/chat/completions": "operations:run",
  "POST /v1/audio/speech": "operations:run",
  "POST /v1/embeddings": "operations:run",
  "POST /v1/rerank": "operations:run",
  "POST /v1/audio/transcriptions": "operations:run",
  "POST /v1/audio/voices": "operations:run",
  "POST /v1/images/generations": "operations:run",
  "POST /v1/images/edits": "operations:run",
  "POST /v1/videos": "operations:run",
  "POST /v1/videos/generations": "operations:run",
  "POST /v1/models/:namespace/:name/predictions": "operations:run",

  "GET /v1/contents/search": "contents:read",
  "GET /v1/contents/export": "contents:read",
  "GET /v1/chat/completions": "contents:read",
  "GET /v1/chat/completions/:id": "contents:read",
  "POST /v1/chat/completions/:id": "contents:write",
  "DELETE /v1/chat/completions/:id": "contents:write",
  "GET /v1/chat/completions/:id/messages": "contents:read",

  "POST /v1/messages": "operations:run",
  "POST /v1/messages/count_tokens": "operations:run",
  "POST /v1/responses/input_tokens": "operations:run",
  "POST /v1/responses": "operations:run",
  "GET /v1/responses": "operations:run",
  "POST /v1/responses/compact": "operations:run",
  "GET /v1/responses/:id": "predictions:read",
  "GET /v1/responses/:id/input_items": "predictions:read",
  "GET /v1/responses/:id/receipt": "predictions:read",
  "DELETE /v1/responses/:id": "predictions:cancel",
  "POST /v1/responses/:id/cancel": "predictions:cancel",

  "POST /v1/predictions": "operations:run",
  "GET /v1/predictions/:id/events": "predictions:read",
  "GET /v1/predictions/:id/receipt": "predictions:read",
  "GET /v1/outputs": "predictions:read",
  "GET /v1/outputs/labels": "predictions:read",
  "GET /v1/outputs/:id": "predictions:read",
  "POST /v1/outputs/:id/keep": "outputs:keep",
  "DELETE /v1/outputs/:id/keep": "outputs:keep",
  "POST /v1/outputs/verify": "predictions:read",
  "GET /v1/shares": "outputs:share",
  "GET /v1/outputs/:id/shares": "outputs:share",
  "POST /v1/outputs/:id/shares": "outputs:share",
  "DELETE /v1/outputs/:id/shares/:share_id": "outputs:share",
  "GET /v1/shared/:token": "anyone",
  "GET /v1/shared/:token/files/:number": "anyone",
  "POST /v1/shared/:token/reports": "anyone",
  "POST /v1/reports/:id/remove": "reports:write",
  "POST /v1/reports/:id/dismiss": "reports:write",
  "POST /v1/outputs/:id/copies": "copies:make",
  "POST /v1/copies/:id/retry": "copies:make",
  "GET /v1/destinations": "copies:read",
  "GET /v1/destinations/:id": "copies:read",
  "POST /v1/destinations": "destinations:manage",
  "POST /v1/destinations/test": "destinations:manage",
  "PATCH /v1/destinations/:id": "destinations:manage",
  "DELETE /v1/destinations/:id": "destinations:manage",
  "POST /v1/destinations/:id/test": "copies:make",
  "POST /v1/destinations/:id/retry": "copies:make",
  "GET /v1/videos": "predictions:read",
  "DELETE /v1/videos/:id": "predictions:cancel",
  "GET /v1/videos/:id": "predictions:read",
  "GET /v1/videos/:id/content": "predictions:read",
  "GET /v1/summary": "predictions:read",
  "POST /v1/predictions/:id/cancel": "predictions:cancel",
  "GET /v1/predictions/:id/notes": "predictions:read",
  "POST /v1/predictions/:id/notes": "predictions:note",
  "PATCH /v1/predictions/:id/notes/:note_id": "predictions:note",
  "DELETE /v1/predictions/:id/notes/:note_id": "predictions:note",
  "GET /v1/webhooks/deliveries/:id/notes": "deliveries:read",
  "POST /v1/webhooks/deliveries/:id/notes": "deliveries:note",
  "PATCH /v1/webhooks/deliveries/:id/notes/:note_id": "deliveries:note",
  "DELETE /v1/webhooks/deliveries/:id/notes/:note_id": "deliveries:note",

  "GET /v1/batches": "predictions:read",
  "GET /v1/batches/:id": "predictions:read",
  "GET /v1/batches/:id/rows": "predictions:read",
  "GET /v1/batches/:id/results.csv": "predictions:read",
  "GET /v1/batches/:id/results.zip": "predictions:read",
  "POST /v1/batches": "operations:run",
  "POST /v1/batches/check": "operations:run",
  "POST /v1/batches/:id/pause": "predictions:cancel",
  "POST /v1/batches/:id/resume": "operations:run",
  "POST /v1/batches/:id/stop": "predictions:cancel",
  "POST /v1/batches/:id/cancel": "predictions:cancel",
  "POST /v1/batches/:id/retry_failed": "operations:run",
  "POST /v1/batches/:id/pick": "operations:run",

  "GET /v1/uploads/:id/parts": "uploads:read",
  "POST /v1/files": "uploads:write",
  "GET /v1/files": "uploads:read",
  "GET /v1/files/:id": "uploads:read",
  "GET /v1/files/:id/content": "uploads:read",
  "DELETE /v1/files/:id": "uploads:write",
  "POST /v1/uploads/:id/verify": "uploads:write",

  "POST /v1/aliases": "aliases:manage",
  "PATCH /v1/aliases/:id": "aliases:manage",
  "DELETE /v1/aliases/:id": "aliases:manage",
  "GET /v1/presets/:id/versions": "presets:read",
  "GET /v1/presets/:id/versions/:version": "presets:read",
  "POST /v1/presets/:id/versions/:version/restore": "presets:write",

  "GET /v1/webhooks/endpoints": "endpoints:read",
  "GET /v1/webhooks/endpoints/:id": "endpoints:read",
  "POST /v1/webhooks/endpoints": "endpoints:manage",
  "PATCH /v1/webhooks/endpoints/:id": "endpoints:manage",
  "DELETE /v1/webhooks/endpoints/:id": "endpoints:manage",
  "POST /v1/webhooks/endpoints/:id/rotate_secret": "endpoints:manage",
  "POST /v1/webhooks/endpoints/:id/test": "endpoints:test",
  "GET /v1/webhooks/default/secret": "callbacks:secret",
  "POST /v1/webhooks/default/secret/rotate": "endpoints:manage",
  "GET /v1/webhooks/deliveries": "deliveries:read",
  "GET /v1/webhooks/deliveries/export": "deliveries:read",
  "GET /v1/webhooks/deliveries/:id": "deliveries:read",
  "POST /v1/webhooks/deliveries/:id/retry": "deliveries:retry",
  "POST /v1/webhooks/deliveries/:id/resend": "deliveries:retry",
  "POST /v1/webhooks/endpoints/:id/resend": "deliveries:retry",
  "GET /v1/webhooks/endpoints/:id/resends": "deliveries:read",
  "GET /v1/webhooks/resends/:id": "deliveries:read",
  "POST /v1/webhooks/resends/:id/stop": "deliveries:retry",
  "GET /v1/webhooks/event-types": "endpoints:read",
  "GET /v1/events": "events:listen",
  "POST /v1/webhooks/deliveries/retry": "deliveries:retry",
  "GET /v1/webhooks/listen": "events:listen",

  "GET /v1/keys": "keys:own",
  "POST /v1/keys": "keys:own",
  "POST /v1/keys/:id/rotate": "keys:own",
  "DELETE /v1/keys/:id": "keys:own",
  "PATCH /v1/keys/:id": "keys:manage",

  "GET /v1/key_rules": "key_rules:read",
  "POST /v1/key_rules": "key_rules:write",
  "POST /v1/key_rules/test": "key_rules:read",
  "GET /v1/key_rules/:id": "key_rules:read",
  "PATCH /v1/key_rules/:id": "key_rules:write",
  "DELETE /v1/key_rules/:id": "key_rules:write",
  "GET /v1/key_rules/:id/keys": "key_rules:read",
  "DELETE /v1/key_rules/:id/keys/:key_id": "key_rules:write",

  "POST /v1/authorization/requests": "connections:own",
  "POST /v1/authorization/consents": "connections:own",
  "GET /v1/connections": "connections:own",
  "GET /v1/connections/:id": "connections:own",
  "PATCH /v1/connections/:id": "connections:own",
  "DELETE /v1/connections/:id": "connections:own",

  "GET /v1/account/attestations": "attestations:read",
  "POST /v1/account/attestations": "attestations:make",
  "DELETE /v1/account/attestations/:kind": "attestations:make",

  "GET /v1/account/members": "members:read",
  "PATCH /v1/account/members/:user_id": "members:manage",
  "DELETE /v1/account/members/:user_id": "members:manage",
  "POST /v1/account/members/:user_id/reset": "members:manage",
  "GET /v1/account/members/:user_id/sessions": "members:manage",
  "DELETE /v1/account/members/:user_id/sessions": "members:manage",
  "GET /v1/account/invitations": "members:manage",
  "POST /v1/account/invitations": "members:manage",
  "POST /v1/account/invitations/:id/renew": "members:manage",
  "DELETE /v1/account/invitations/:id": "members:manage",
  "GET /v1/requests/export": "requests:read",
  "GET /v1/views": "views:read",
  "POST /v1/views": "views:write",
  "DELETE /v1/views/:id": "views:write",
  "GET /v1/audit_logs": "audit:read",
  "GET /v1/audit_logs/export": "audit:read",
  "GET /v1/account/history": "audit:read",

  "POST /v1/account/password/forgotten": "anyone",
  "POST /v1/account/email": "person",
  "POST /v1/account/email/lookup": "anyone",
  "POST /v1/account/email/confirm": "anyone",
  "POST /v1/notices/:id/read": "notices:read",
  "POST /v1/notices/read_all": "notices:read",
  "GET /v1/notices/preferences": "person",
  "PATCH /v1/notices/preferences": "person",
  "GET /v1/notices/hooks": "notices:manage",
  "POST /v1/notices/hooks": "notices:manage",
  "PATCH /v1/notices/hooks/:id": "notices:manage",
  "DELETE /v1/notices/hooks/:id": "notices:manage",
  "POST /v1/notices/hooks/:id/test": "notices:manage",
  "GET /v1/search": "caller",
  "GET /v1/status": "caller",
  "GET /v1/public/status": "anyone",
  "GET /v1/operator/incidents": "operator",
  "POST /v1/operator/incidents": "operator",
  "PATCH /v1/operator/incidents/:id": "operator",
  "DELETE /v1/operator/incidents/:id": "operator",
  "POST /v1/operator/incidents/:id/updates": "operator",
  "GET /v1/operator/notice_hooks": "operator",
  "POST /v1/operator/notice_hooks": "operator",
  "PATCH /v1/operator/notice_hooks/:id": "operator",
  "DELETE /v1/operator/notice_hooks/:id": "operator",
  "POST /v1/operator/notice_hooks/:id/test": "operator",
  "GET /v1/operator/guard": "operator",
  "POST /v1/operator/guard": "operator",
  "PATCH /v1/operator/guard": "operator",
  "DELETE /v1/operator/guard": "operator",
  "POST /v1/operator/guard/rotate_secret": "operator",
  "POST /v1/operator/guard/test": "operator",
  "GET /v1/operator/guard/activity": "operator",
  "POST /v1/operator/doctor": "operator",
  "GET /v1/operator/mail": "operator",
  "POST /v1/operator/mail/test": "operator",
  "GET /v1/usage": "usage:own",
  "GET /v1/usage/export": "usage:own",
  "GET /v1/usage/cache": "usage:own",
  "GET /v1/prices": "operations:run",
  "GET /v1/prices/models": "operations:run",
  "GET /v1/usage/metadata": "usage:read",
  "GET /v1/runs/:id/cost": "usage:own",
  "PATCH /v1/account": "account:manage",
  "GET /v1/account/export": "account:manage",
  "POST /v1/account/export": "account:manage",
  "GET /v1/account/export/parts/:number": "account:manage",
  "PUT /v1/account/export/operator": "account:manage",
  "GET /v1/account/guard": "account:manage",
  "POST /v1/account/guard": "account:manage",
  "PATCH /v1/account/guard": "account:manage",
  "DELETE /v1/account/guard": "account:manage",
  "POST /v1/account/guard/rotate_secret": "account:manage",
  "POST /v1/account/guard/test": "account:manage",
  "GET /v1/account/guard/activity": "account:manage",
  "GET /v1/account/deletion": "account:manage",
  "POST /v1/account/deletion": "account:manage",
  "DELETE /v1/account/deletion": "account:manage",

  "GET /v1/account": "caller",
  "POST /v1/account/sessions/key": "caller",
  "GET /v1/accounts": "person",
  "GET /v1/account/profile": "person",
  "PATCH /v1/account/profile": "person",
  "POST /v1/account/password": "person",
  "GET /v1/account/sessions": "person",
  "DELETE /v1/account/sessions": "person",
  "DELETE /v1/account/sessions/:id": "person",

  "GET /v1/account/second_factor": "person",
  "POST /v1/account/second_factor/totp": "person",
  "POST /v1/account/second_factor/totp/confirm": "person",
  "POST /v1/account/second_factor/totp/remove": "person",
  "POST /v1/account/second_factor/recovery_codes": "person",
  "POST /v1/account/passkeys/options": "person",
  "POST /v1/account/passkeys": "person",
  "PATCH /v1/account/passkeys/:id": "person",
  "POST /v1/account/passkeys/:id/remove": "person",

  "POST /v1/account/sessions/second_factor": "anyone",
  "POST /v1/account/sessions/passkey/options": "anyone",
  "POST /v1/account/sessions/passkey": "anyone",
  "GET /v1/account/identities": "person",
  "DELETE /v1/account/identities/:id": "person",
  "GET /v1/account/oidc/claims": "person",

  "GET /v1/account/oidc": "anyone",
  "POST /v1/account/oidc/start": "anyone",
  "POST /v1/account/oidc/callback": "anyone",
  "POST /v1/account/oidc/logout": "own credential",
  "GET /v1/account/setup": "anyone",
  "POST /v1/account/setup": "anyone",
  "POST /v1/account/sessions": "anyone",
  "POST /v1/account/invitations/lookup": "anyone",
  "POST /v1/account/invitations/accept": "anyone",
  "POST /v1/account/password/reset/lookup": "anyone",
  "POST /v1/account/password/reset": "anyone",

  "GET /v1/activity": "requests:read",
  "GET /v1/operator/health": "operator",
  "GET /v1/operator/first_steps": "operator",
  "GET /v1/operator/signing": "operator",
  "GET /v1/operator/receipt_keys": "operator",
  "POST /v1/operator/receipt_keys/rotate": "operator",
  "GET /v1/operator/reports": "operator",
  "GET /v1/operator/reports/:id": "operator",
  "POST /v1/operator/reports/:id/remove": "operator",
  "POST /v1/operator/reports/:id/dismiss": "operator",
  "GET /v1/operator/activity": "operator",
  "GET /v1/operator/load": "operator",
  "GET /v1/operator/keys/:id": "operator",
  "PUT /v1/operator/keys/:id/limits": "operator",
  "GET /v1/operator/accounts": "operator",
  "GET /v1/operator/accounts/:id": "operator",
  "PATCH /v1/operator/accounts/:id/limits": "operator",
  "GET /v1/operator/plans": "operator",
  "POST /v1/operator/plans": "operator",
  "PATCH /v1/operator/plans/:id": "operator",
  "DELETE /v1/operator/plans/:id": "operator",
  "POST /v1/operator/accounts/:id/suspension": "operator",
  "DELETE /v1/operator/accounts/:id/suspension": "operator",
  "POST /v1/operator/accounts/:id/deletion": "operator",
  "GET /v1/operator/deletions": "operator",
  "GET /v1/operator/access": "operator",
  "GET /v1/operator/nodes": "operator",
  "POST /v1/operator/nodes/:id/drain": "operator",
  "DELETE /v1/operator/nodes/:id/drain": "operator",
  "POST /v1/operator/access/end": "operator",
  "GET /v1/operator/deletions/:id": "operator",
  "GET /v1/operator/accounts/:id/credits": "operator",
  "POST /v1/operator/accounts/:id/credits": "operator",
  "DELETE /v1/operator/accounts/:id/credits": "operator",
  "GET /v1/account/limits": "usage:own",
  "GET /v1/account/networks": "account:manage",
  "PATCH /v1/account/networks": "account:manage",
  "GET /v1/account/load": "requests:read",
  "GET /v1/account/budgets": "usage:own",
  "PATCH /v1/account/budgets": "budgets:manage",
  "GET /v1/account/credits": "usage:read",
  "GET /v1/tasks": "usage:own",
  "GET /v1/tasks/:id": "usage:own",
  "POST /v1/tasks/:id/raise": "keys:own",
  "POST /v1/tasks/:id/end": "keys:own",
  "GET /v1/operator/prices": "operator",
  "POST /v1/operator/prices": "operator",
  "POST /v1/operator/prices/import": "operator",
  "GET /v1/operator/markups": "operator",
  "GET /v1/operator/usage": "operator",
  "GET /v1/operator/usage/cache": "operator",
  "GET /v1/operator/usage/export": "operator",
  "GET /v1/operator/usage/lines": "operator",
  "POST /v1/operator/markups": "operator",
  "GET /v1/operator/runs/:id/cost": "operator",
  "GET /v1/operator/file": "operator",
  "POST /v1/operator/file": "operator",
  "POST /v1/operator/file/proposal": "operator",
  "GET /v1/operator/models": "operator",
  "POST /v1/operator/models": "operator",
  "GET /v1/operator/models/:namespace/:name": "operator",
  "PATCH /v1/operator/models/:namespace/:name": "operator",
  "DELETE /v1/operator/models/:namespace/:name": "operator",
  "GET /v1/operator/models/:namespace/:name/revisions": "operator",
  "POST /v1/operator/models/:namespace/:name/revisions/:revision/restore": "operator",
  "GET /v1/operator/routes": "operator",
  "PUT /v1/operator/routes": "operator",
  "POST /v1/operator/routes/map": "operator",
  "POST /v1/operator/routes/preview": "operator",
  "GET /v1/operator/changes": "operator",
  "POST /v1/operator/changes/:id/undo": "operator",
  "GET /v1/operator/providers": "operator",
  "POST /v1/operator/providers": "operator",
  "GET /v1/operator/providers/:id": "operator",
  "PATCH /v1/operator/providers/:id": "operator",
  "DELETE /v1/operator/providers/:id": "operator",
  "POST /v1/operator/providers/:id/test": "operator",
  "GET /v1/operator/providers/:id/models": "operator",
  "GET /v1/operator/provider_presets": "operator",
  "GET /v1/operator/local_servers": "operator",

  "GET /v1/account/sessions/current/events": "caller",
  // This route is last, because it ends the session of the request.
  "DELETE /v1/account/sessions/current": "caller",
};

/** Ids that do not exist, so that a caller with the permission gets 404. */
const placeholders: Record<string, string> = { ":kind": "adult", ":namespace": "svc", ":name": "none" };
/** The error codes of a refused permission. */
const refusals = [
  "operator_required",
  "role_not_allowed",
  "insufficient_scope",
  "user_session_required",
  "missing_api_key",
];

let account: TestAccount;
const sessions = new Map<Role, string>();
let served: string[];
const gateway = shared(() => startTestGateway({ role: "api", metricsToken: "the-token-of-the-metrics" }));
beforeAll(async () => {
  served = gateway.routes.flatMap(({ method, url }) =>
    [method]
      .flat()
      .filter((name) => !["HEAD", "OPTIONS"].includes(name))
      .map((name) => `${name} ${url}`),
  );
  const plain = served.flatMap((route) => {
    const need = plainNeed(route);
    return need ? [[route, need] as const] : [];
  });
  needs = { ...Object.fromEntries(plain), ...needs };
  account = await gateway.createAccount();
  for (const role of roles) sessions.set(role, (await gateway.addMember(account, role)).session);
});

interface Answer {
  status: number;
  /** Null, or the code of a refusal. */
  refusal: string | null;
  details: { role: Role }[];
}

/** Sends a request with an empty body and ids that do not exist; reads only the head of a stream. */
async function ask(bearer: string | null, route: string): Promise<Answer> {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replace(/:\w+|\*/g, (name) => placeholders[name] ?? "nothing");
  const response = await fetch(gateway.url.replace("/v1", "") + path, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(["POST", "PUT", "PATCH"].includes(method) && { "content-type": "application/json" }),
    },
    ...(["POST", "PUT", "PATCH"].includes(method) && { body: "{}" }),
  });
  const { status } = response;
  if (status < 400) {
    await response.body?.cancel();
    return { status, refusal: null, details: [] };
  }
  const { error } = (await response.json()) as { error: { code: string; details?: { role: Role }[] } };
  return { status, refusal: refusals.includes(error.code) ? error.code : null, details: error.details ?? [] };
}

/** The routes with an unexpected answer, each with that answer. */
async function wrongAnswers(
  bearer: string | null,
  expected: (need: Need) => string | null,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [route, need] of Object.entries(needs)) {
    if (need === "own credential") continue;
    const { status, refusal } = await ask(bearer, route);
    if (refusal !== expected(need)) wrong.push(`${route} (${need}): ${status} ${refusal}`);
  }
  return wrong;
}

const isPermission = (need: Need): need is Permission => permissions.includes(need as Permission);

describe("access to each route", () => {
  it("the table above names every route that is not plain, and no other", () => {
    expect([...new Set(served)].sort()).toEqual(Object.keys(needs).sort());
  });

  it("every route of the contract is served", () => {
    const patternOf = (name: string, { matches }: Route) => {
      const [method, path = ""] = name.split(" ");
      return `${method} /v1${matches ?? path.replace(/\{(\w+)\}/g, ":$1")}`;
    };
    const expected = Object.entries<Route>(routes).map(([name, route]) => patternOf(name, route));
    expect(expected.filter((route) => !served.includes(route))).toEqual([]);
  });

  it("is refused to callers without a credential", async () => {
    expect(await wrongAnswers(null, (need) => (need === "anyone" ? null : "missing_api_key"))).toEqual([]);
  });

  it.each(roles)("is granted to the role %s as the table permits", async (role) => {
    const permitted = permissionsOfRole(role);
    const wrong = await wrongAnswers(sessions.get(role) ?? "", (need) => {
      if (need === "operator") return "operator_required";
      return isPermission(need) && !permitted.has(need) ? "role_not_allowed" : null;
    });
    // A session opened with an account key belongs to the key; a person has a session of their own. Only
    // operators see the provider's claims.
    expect(wrong).toEqual([
      "POST /v1/account/sessions/key (caller): 403 insufficient_scope",
      "GET /v1/account/oidc/claims (person): 403 operator_required",
    ]);
  });

  it("is refused with the names of the roles that have the permission", async () => {
    const { session } = await gateway.addMember(account, "billing");
    for (const [route, need] of Object.entries(needs)) {
      if (!isPermission(need) || rolesWith(need).includes("billing")) continue;
      const { details } = await ask(session, route);
      expect(
        details.map(({ role }) => role),
        route,
      ).toEqual(rolesWith(need));
    }
  });

  it("is granted to a service key by its scopes", async () => {
    for (const granted of [[...scopes], ["uploads"], ["contents"], ["operator"]] satisfies Scope[][]) {
      const permitted = permissionsOfScopes(granted);
      const key = await gateway.createKey(account.accountId, { scopes: granted });
      const wrong = await wrongAnswers(key, (need) => {
        if (need === "person") return "user_session_required";
        if (need === "operator")
          return granted.some((scope) => scope === "operator") ? null : "operator_required";
        if (!isPermission(need) || permitted.has(need)) return null;
        return scopeOf(need) ? "insufficient_scope" : "user_session_required";
      });
      // A plain key has no session to end.
      expect(wrong).toEqual(["DELETE /v1/account/sessions/current (caller): 403 user_session_required"]);
    }
  });

  it("is granted to a personal key if both its scopes and its member permit it", async () => {
    const person = await gateway.addMember(account, "member");
    const made = await call(gateway, person.session, "POST", "/keys", {
      ...{ name: "mine", scopes: [...scopes, "contents"] },
    });
    for (const role of ["member", "viewer", "billing"] satisfies Role[]) {
      await call(gateway, account.session, "PATCH", `/account/members/${person.userId}`, { role });
      const permitted = permissionsOfRole(role);
      const wrong = await wrongAnswers(String(made.body.secret), (need) => {
        if (need === "person") return "user_session_required";
        if (need === "operator") return "operator_required";
        if (!isPermission(need)) return null;
        if (!scopeOf(need)) return "user_session_required";
        return permitted.has(need) ? null : "role_not_allowed";
      });
      expect(wrong, role).toEqual([
        "DELETE /v1/account/sessions/current (caller): 403 user_session_required",
      ]);
    }
  });

  it("never includes another account's data", async () => {
    const upload = { content_type: "image/png", size_bytes: 10 };
    const batch = { model: "svc/vid-t2v", rows: [{ prompt: "a pine", duration: 5 }] };
    const endpoint = { url: "https://8.8.8.8/hook" };
    const order = { model: "svc/vid-t2v", prompt: "a pine", duration: 5 };
    const preset = { name: "pines", model: "svc/vid-t2v", api_type: "video-generation", input: {} };
    const contents = { system: null, settings: {}, messages: [], current: null, second_current: null };
    const conversation = { name: "rivers", model: "svc/chat-1", contents };
    const bucket = { endpoint_url: "https://8.8.8.8", region: "us-east-1", bucket: "theirs" };
    const destination = { name: "theirs", ...bucket, access_key_id: "AK", secret_access_key: "secret" };
    const invitation = { email: "somebody@example.com", role: "viewer" };
    const objects = {
      "/predictions/:id": ["/videos", order],
      "/batches/:id": ["/batches", batch],
      "/uploads/:id": ["/uploads", upload],
      "/aliases/:id": ["/aliases", { name: "theirs", models: ["svc/chat-1"] }],
      "/presets/:id": ["/presets", preset],
      "/conversations/:id": ["/conversations", conversation],
      "/webhooks/endpoints/:id": ["/webhooks/endpoints", endpoint],
      "/destinations/:id": ["/destinations", destination],
      "/keys/:id": ["/keys", { name: "theirs" }],
      "/key_rules/:id": [
        "/key_rules",
        { name: "theirs", issuer: "https://issuer.example", claims: { sub: "job" } },
      ],
      "/account/invitations/:id": ["/account/invitations", invitation],
    } as const;
    const owner = await gateway.createAccount();
    const stranger = await gateway.createAccount();
    const ids: Record<string, string> = { "/account/members/:user_id": owner.userId };
    for (const [path, [route, body]] of Object.entries(objects))
      ids[path] = String((await call(gateway, owner.session, "POST", route, body)).body.id);
    const found: string[] = [];
    for (const route of Object.keys(needs)) {
      const [method = "", pattern = ""] = route.replace(" /v1", " ").split(" ");
      const known = Object.entries(ids).find(([path]) => pattern.startsWith(path));
      if (!known || needs[route] === "own credential") continue;
      const path = pattern.replace(/:\w+/, known[1]);
      const body = method === "PATCH" ? { role: "viewer", monthly_budget: null, events: ["*"] } : {};
      const sent = ["POST", "PATCH"].includes(method) ? body : undefined;
      const { status } = await call(gateway, stranger.session, method, path, sent);
      if (status !== 404 && status !== 400) found.push(`${route}: ${status}`);
    }
    expect(found).toEqual([]);
    for (const path of [
      "/predictions",
      "/batches",
      "/uploads",
      "/aliases",
      "/key_rules",
      "/presets",
      "/conversations",
      "/webhooks/endpoints",
      "/destinations",
      "/copies",
      "/account/invitations",
    ])
      expect((await call(gateway, stranger.session, "GET", path)).body.data, path).toEqual([]);
  });
});
