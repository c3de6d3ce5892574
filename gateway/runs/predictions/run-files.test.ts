import { expect, it } from "vitest";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { predictions, reservedFiles } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { nameOutputs, removeUnlessKept } from "./run-files.ts";
import { settle } from "./settle.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));

const usage = { unit: "second", quantity: 2 } as const;

/** A run leased by this process. */
async function leased(): Promise<string> {
  const { key } = await gateway.createAccount();
  const video = { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 };
  const id = String((await call(gateway, key, "POST", "/videos", video)).body.id);
  await lease(id, instanceId);
  return id;
}

const lease = (id: string, leaseOwner: string) =>
  gateway.context.database.queries.update(predictions).set({ leaseOwner }).where(eq(predictions.id, id));

const attempt = (id: string, name: string) => [
  {
    key: `outputs/${id}/1-${name}.mp4`,
    contentType: "video/mp4",
    sizeBytes: 3,
    width: 1,
    height: 1,
    duration: 1,
    sha256: name,
  },
];
type Attempt = ReturnType<typeof attempt>;
const store = ([file]: Attempt) =>
  gateway.context.store.put(file?.key ?? "", Buffer.from("abc"), { contentType: "video/mp4" });
const isStored = async ([file]: Attempt) => (await gateway.context.store.head(file?.key ?? "")) !== null;

it("a run that another process took over ends with that process's files, and no others", async () => {
  const { context } = gateway;
  const id = await leased();
  const [slow, next] = [attempt(id, "aaaa"), attempt(id, "bbbb")];
  expect(await nameOutputs(context, id, slow)).toBe(true);
  expect(await nameOutputs(context, id, next)).toBe(true);
  // Files that the slow process may still be storing are removed later in any case.
  const reserved = await context.database.queries.select().from(reservedFiles);
  expect(reserved.flatMap(({ files }) => files.map(({ key }) => key))).toEqual([slow[0]?.key]);
  await Promise.all([store(slow), store(next)]);
  expect(await settle(context, id, { status: "succeeded", outputs: slow, usage })).toBeNull();
  await removeUnlessKept(context, id, slow);
  expect(await settle(context, id, { status: "succeeded", outputs: next, usage })).toMatchObject({
    outputs: next,
  });
  await removeUnlessKept(context, id, next);
  expect([await isStored(slow), await isStored(next)]).toEqual([false, true]);
});

it("the same files named again reserve nothing, and a run of another process is not named", async () => {
  const { context } = gateway;
  const id = await leased();
  await context.database.queries.delete(reservedFiles);
  const files = attempt(id, "aaaa");
  await nameOutputs(context, id, files);
  expect(await nameOutputs(context, id, files)).toBe(true);
  expect(await context.database.queries.select().from(reservedFiles)).toEqual([]);
  await lease(id, "another");
  expect(await nameOutputs(context, id, attempt(id, "bbbb"))).toBe(false);
});

it("a run that failed meanwhile keeps none of its files", async () => {
  const { context } = gateway;
  const id = await leased();
  const files = attempt(id, "aaaa");
  await nameOutputs(context, id, files);
  await store(files);
  await settle(context, id, { status: "failed", code: "upstream_timeout", message: "for the test" });
  await removeUnlessKept(context, id, files);
  expect(await isStored(files)).toBe(false);
});
