import type { Stack } from "./stack.ts";

type Json = Record<string, unknown>;

/** Calls the gateway like a program, with one bearer token. */
export class GatewayApi {
  readonly bearer: string;
  readonly #base: string;

  constructor(gatewayUrl: string, bearer: string) {
    this.#base = gatewayUrl;
    this.bearer = bearer;
  }

  /** Signs the owner in. The session has every permission, including attesting. */
  static async signIn({ gatewayUrl, owner }: Stack): Promise<GatewayApi> {
    const session = await new GatewayApi(gatewayUrl, "").post("/account/sessions", owner);
    return new GatewayApi(gatewayUrl, String(session.token));
  }

  get = (path: string): Promise<Json> => this.#call("GET", path);
  post = (path: string, body: unknown = {}): Promise<Json> => this.#call("POST", path, body);
  patch = (path: string, body: unknown): Promise<Json> => this.#call("PATCH", path, body);
  delete = (path: string): Promise<Json> => this.#call("DELETE", path);

  /** The raw response, for calls that should fail. */
  send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.#base + path, {
      method,
      headers: {
        ...(this.bearer && { authorization: `Bearer ${this.bearer}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Withdraws an attestation. Does not fail if there is none. */
  async withdraw(kind: "adult" | "portrait_rights"): Promise<void> {
    await this.send("DELETE", `/account/attestations/${kind}`);
  }

  async attest(kind: "adult" | "portrait_rights"): Promise<void> {
    const { statements } = (await this.get("/account/attestations")) as {
      statements: { kind: string; version: string }[];
    };
    const version = statements.find((one) => one.kind === kind)?.version;
    await this.post("/account/attestations", { kind, statement_version: version, confirmed: true });
  }

  async #call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await this.send(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Json;
  }
}
