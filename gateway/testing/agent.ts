import { hash, randomBytes } from "node:crypto";
import type { ConsentCreate } from "#contract/connections.ts";
import { call, type TestGateway } from "./gateway.ts";

/**
 * A hand-written client of the authorization server, so that a test can send requests that no real client
 * would.
 */
export interface TestAgent {
  clientId: string;
  redirectUri: string;
  verifier: string;
  /** The requested scopes. */
  asked: Record<string, string>;
}

export const callbackUri = "http://127.0.0.1:7777/callback";
const dayMs = 86_400_000;

/** The root of the gateway's URL, without `/v1`. */
export function rootOf({ url }: Pick<TestGateway, "url">): string {
  return url.replace(/\/v1$/, "");
}

export async function register(
  gateway: TestGateway,
  metadata: Record<string, unknown> = { redirect_uris: [callbackUri], client_name: "Test agent" },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${rootOf(gateway)}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A new authorization request with a fresh verifier. */
export function asking(gateway: TestGateway, clientId: string, redirectUri = callbackUri): TestAgent {
  const verifier = randomBytes(32).toString("base64url");
  const asked = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
    state: "the state",
    resource: `${rootOf(gateway)}/mcp`,
  };
  return { clientId, redirectUri, verifier, asked };
}

/** A client that registered itself. */
export async function newAgent(gateway: TestGateway): Promise<TestAgent> {
  return asking(gateway, String((await register(gateway)).body.client_id));
}

/** Consents as a person, with these limits. */
export function consentTo(
  gateway: TestGateway,
  session: string,
  { asked }: TestAgent,
  limits: Partial<ConsentCreate> = {},
) {
  return call(gateway, session, "POST", "/authorization/consents", {
    request: asked,
    scopes: ["inference", "predictions", "uploads"],
    models: null,
    monthly_budget: null,
    expires_at: new Date(Date.now() + dayMs).toISOString(),
    ...limits,
  });
}

/** Sends a form to one of the gateway's authorization routes. */
export async function sendForm(gateway: TestGateway, path: string, form: Record<string, string>) {
  const response = await fetch(rootOf(gateway) + path, { method: "POST", body: new URLSearchParams(form) });
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, string>;
  return { status: response.status, body, headers: response.headers };
}

/** The form with which the agent gets its tokens for a code. */
export function codeForm({ clientId, redirectUri, verifier, asked }: TestAgent, code: string) {
  return {
    grant_type: "authorization_code",
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: asked.resource ?? "",
  };
}

export interface TestConnection {
  id: string;
  agent: TestAgent;
  code: string;
  accessToken: string;
  refreshToken: string;
}

/** The whole flow: registers a client, consents, gets the first tokens. */
export async function connect(
  gateway: TestGateway,
  session: string,
  limits: Partial<ConsentCreate> = {},
): Promise<TestConnection> {
  const agent = await newAgent(gateway);
  const { status, body } = await consentTo(gateway, session, agent, limits);
  if (status !== 201) throw new Error(JSON.stringify(body));
  const code = codeIn(body);
  const { body: tokens } = await sendForm(gateway, "/oauth/token", codeForm(agent, code));
  return {
    id: String(body.connection_id),
    agent,
    code,
    accessToken: String(tokens.access_token),
    refreshToken: String(tokens.refresh_token),
  };
}

/** The code in the address that the browser is sent to after a consent. */
export function codeIn(body: Record<string, unknown>): string {
  return new URL(String(body.redirect_url)).searchParams.get("code") ?? "";
}

export function refreshWith(gateway: TestGateway, { agent }: TestConnection, refreshToken: string) {
  return sendForm(gateway, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: agent.clientId,
    resource: agent.asked.resource ?? "",
  });
}

/** Calls a tool and returns its answer. */
export async function callTool(
  gateway: TestGateway,
  token: string | null,
  name: string,
  args: Record<string, unknown>,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
) {
  const response = await fetch(`${rootOf(gateway)}/mcp`, {
    method: "POST",
    signal,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers };
}
