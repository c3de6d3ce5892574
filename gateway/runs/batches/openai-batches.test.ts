import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png, verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

let gateway: TestGateway;
let account: TestAccount;
let openai: OpenAI;

beforeAll(async () => {
  gateway = await startTestGateway();
  account = await gateway.createAccount();
  openai = clientOf(account.key);
});
afterAll(() => gateway.close());

function clientOf(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: gateway.url, maxRetries: 0 });
}
async function keyOf(scopes: string[]): Promise<OpenAI> {
  const { body } = await call(gateway, account.session, "POST", "/keys", {
    name: "k",
    kind: "personal",
    scopes,
  });
  return clientOf(String(body.secret));
}

type Purpose = "batch" | "user_data" | "vision";
const textFile = async (text: string, name = "requests.jsonl", purpose: Purpose = "batch", client = openai) =>
  client.files.create({ file: await toFile(Buffer.from(text), name), purpose });
const idsOf = async (pages: AsyncIterable<{ id: string }>) => {
  const ids: string[] = [];
  for await (const { id } of pages) ids.push(id);
  return ids;
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("openai.files", () => {
  it("sends, reads, downloads and deletes a file with its purpose", async () => {
    const made = await textFile('{"a":1}\n', "mine.jsonl", "user_data");
    expect(made).toMatchObject({
      ...{ object: "file", bytes: 8, filename: "mine.jsonl", purpose: "user_data", status: "processed" },
    });
    expect(made.created_at).toBeGreaterThan(1_700_000_000);
    expect((made.expires_at ?? 0) - made.created_at).toBeGreaterThanOrEqual(86_399);
    expect(await openai.files.retrieve(made.id)).toEqual(made);
    expect(await (await openai.files.content(made.id)).text()).toBe('{"a":1}\n');
    const image = await openai.files.create({
      file: await toFile(png, "dot.png", { type: "image/png" }),
      purpose: "vision",
    });
    expect(Buffer.from(await (await openai.files.content(image.id)).arrayBuffer())).toEqual(png);
    expect(await openai.files.delete(made.id)).toMatchObject({ id: made.id, object: "file", deleted: true });
    expect(await refusal(openai.files.retrieve(made.id))).toMatchObject({
      ...{ status: 404, code: "upload_not_found" },
    });
  });

  it("lists verified uploads page by page, in either order, by purpose", async () => {
    const other = await gateway.createAccount();
    const client = clientOf(other.key);
    const files = [];
    for (const purpose of ["batch", "user_data", "batch"] as const)
      files.push((await textFile("{}\n", "x.jsonl", purpose, client)).id);
    const sentHere = await verifiedUpload(gateway, other.key);
    await call(gateway, other.key, "POST", "/uploads", { content_type: "image/png", size_bytes: 9 });
    const oldestFirst = [...files, sentHere.id];
    expect(await idsOf(client.files.list({ limit: 1 }))).toEqual(oldestFirst.toReversed());
    expect(await idsOf(client.files.list({ limit: 2, order: "asc" }))).toEqual(oldestFirst);
    expect(await idsOf(client.files.list({ limit: 10_000 }))).toHaveLength(4);
    expect(await idsOf(client.files.list({ purpose: "batch" }))).toEqual([files[2], files[0]]);
    expect(await idsOf(client.files.list({ purpose: "vision" }))).toEqual([sentHere.id]);
    expect(await refusal(openai.files.content(files[0] ?? ""))).toMatchObject({ status: 404 });
    expect(await refusal(client.files.list({ after: "nothing" }))).toMatchObject({ code: "invalid_cursor" });
  });

  it("keeps a file as long as asked, a day at most", async () => {
    const file = await toFile(Buffer.from("{}\n"), "short.jsonl");
    const short = {
      file,
      purpose: "batch",
      expires_after: { anchor: "created_at", seconds: 3_600 },
    } as const;
    const made = await openai.files.create(short);
    expect((made.expires_at ?? 0) - made.created_at).toBe(3_600);
    for (const seconds of [60, 2_592_000]) {
      const asked = openai.files.create({ ...short, expires_after: { anchor: "created_at", seconds } });
      expect(await refusal(asked)).toMatchObject({ status: 400, param: "expires_after" });
    }
    const tuned = openai.files.create({ file, purpose: "fine-tune" });
    expect(await refusal(tuned)).toMatchObject({ status: 400, param: "purpose" });
  });

  it("needs the permissions of uploads", async () => {
    const { id } = await textFile("{}\n");
    const stranger = await keyOf(["inference", "predictions"]);
    for (const refused of [
      () => stranger.files.list(),
      () => stranger.files.retrieve(id),
      () => stranger.files.content(id),
      () => stranger.files.delete(id),
      () => textFile("{}\n", "x.jsonl", "batch", stranger),
    ])
      expect(await refusal(refused())).toMatchObject({ status: 403, code: "insufficient_scope" });
  });
});
