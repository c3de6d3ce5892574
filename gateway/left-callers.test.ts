import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { announce, put, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { type MappedGateway, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startUpstream, type UpstreamServer } from "#gateway/models/providers/testing/upstream-server.ts";

let upstream: UpstreamServer;
let mapped: MappedGateway;
beforeAll(async () => {
  upstream = await startUpstream(() => undefined);
  const replicas = {
    protocol: "replicate",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { env: "TEST_UPSTREAM_KEY" } },
  };
  mapped = await startMappedGateway({ providers: { replicas }, routes: [] });
});
afterAll(async () => {
  await mapped.close();
  await upstream.close();
});

/** Sends a request, and leaves once the gateway works on it. */
async function leaveWhen(begun: Promise<unknown>, route: string, body: object, bearer = mapped.account.key) {
  const caller = new AbortController();
  const answer = fetch(`${mapped.gateway.url}${route}`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: caller.signal,
  });
  await begun;
  caller.abort();
  await expect(answer).rejects.toThrow();
}

/** From now on the store gives files that never end. */
function endlessFiles() {
  const { store } = mapped.gateway.context;
  const get = store.get.bind(store);
  const begun = Promise.withResolvers<Readable>();
  vi.spyOn(store, "get").mockImplementationOnce(async (...asked) => {
    const object = await get(...asked);
    object?.stream.destroy();
    const stream = new Readable({ read() {} });
    begun.resolve(stream);
    return object && { ...object, stream };
  });
  return begun.promise;
}

it("an upload is not read further once its caller has left, and can be verified later", async () => {
  const { gateway, account } = mapped;
  const upload = await announce(gateway, account.key);
  await put(upload);
  const file = endlessFiles();
  await leaveWhen(file, `/uploads/${upload.id}/verify`, {});
  await vi.waitFor(async () => expect((await file).destroyed).toBe(true));
  const { body } = await mapped.post(`/uploads/${upload.id}/verify`, {});
  expect(body).toMatchObject({ status: "verified" });
});

it("a file to check is not read further once its caller has left", async () => {
  const { id } = await verifiedUpload(mapped.gateway, mapped.account.key);
  const file = endlessFiles();
  await leaveWhen(file, "/outputs/verify", { upload: id });
  await vi.waitFor(async () => expect((await file).destroyed).toBe(true));
  expect((await mapped.post("/outputs/verify", { upload: id })).status).toBe(200);
});

it.each(["proposed", "created"])("a provider is not asked further about a model to be %s", async (how) => {
  const { gateway, account } = mapped;
  const operator = await gateway.createKey(account.accountId, { scopes: ["operator"] });
  const asked = upstream.next(new RegExp(how));
  const body = { id: "acme/fast", import: { provider: "replicas", name: `acme/${how}` } };
  await leaveWhen(asked, "/operator/models", { ...body, dry_run: how === "proposed" }, operator);
  const { gone } = await asked;
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  // Long before the time-out of the gateway itself.
  await vi.waitFor(() => expect(isGone).toBe(true), { timeout: 10_000 });
});
