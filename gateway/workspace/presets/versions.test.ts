import { describe, expect, it } from "vitest";
import { presetLimits } from "#contract/presets.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { presets, presetVersions, uploads } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { presetMediaSweep } from "./input.ts";

describe("versions of a preset", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());

  const ask = (method: string, path: string, body?: unknown, bearer = account.session) =>
    call(gateway, bearer, method, `/presets${path}`, body);
  const video = { model: "svc/vid-r2v", api_type: "video-generation" };
  const create = async (name: string, input: object) =>
    String((await ask("POST", "", { name, ...video, input })).body.id);
  const versions = async (id: string) =>
    (await ask("GET", `/${id}/versions`)).body.data as Record<string, unknown>[];

  it("show who changed what, and an old one can be restored as a new one", async () => {
    const id = await create("Pines", { prompt: "a pine", duration: 5 });
    const colleague = await gateway.addMember(account, "member");
    await ask("PATCH", `/${id}`, { input: { prompt: "a fir" } }, colleague.session);
    await ask("PATCH", `/${id}`, { name: "Firs" });
    const listed = await versions(id);
    expect(listed).toMatchObject([
      { object: "preset_version", preset_id: id, version: 3, name: "Firs" },
      { version: 2, name: "Pines", changed_by: { user: { id: colleague.userId } } },
      { version: 1, name: "Pines", changed_by: { user: { id: account.userId } } },
    ]);
    expect(listed[2]).not.toHaveProperty("input");
    expect((await ask("GET", `/${id}/versions/1`)).body).toMatchObject({
      version: 1,
      input: { prompt: "a pine", duration: 5 },
      media: [],
    });
    expect((await ask("GET", `/${id}/versions/3`)).body).toMatchObject({
      name: "Firs",
      input: { prompt: "a fir" },
    });

    const restored = await ask("POST", `/${id}/versions/1/restore`, { version: 3 }, colleague.session);
    expect(restored.body).toMatchObject({
      name: "Pines",
      version: 4,
      input: { prompt: "a pine", duration: 5 },
      changed_by: { user: { id: colleague.userId } },
    });
    expect((await versions(id)).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    const { body } = await call(gateway, account.session, "GET", "/audit_logs");
    expect((body.data as object[])[0]).toMatchObject({
      action: "preset.restored",
      detail: { name: "Pines", version: 1 },
    });
  });

  it("cannot be restored when missing, current or outdated, or when another preset has the name", async () => {
    const id = await create("Elms", { prompt: "an elm" });
    const restore = async (version: number, body: object = {}) => {
      const { error } = (await ask("POST", `/${id}/versions/${version}/restore`, body)).body;
      return (error as { code: string }).code;
    };
    expect(await restore(1)).toBe("invalid_parameter");
    expect(await restore(7)).toBe("preset_version_not_found");
    expect((await ask("GET", `/${id}/versions/7`)).body.error).toMatchObject({
      code: "preset_version_not_found",
    });
    await ask("PATCH", `/${id}`, { name: "Old elms" });
    expect(await restore(1, { version: 1 })).toBe("preset_changed");
    await create("elms", {});
    expect(await restore(1)).toBe("preset_exists");
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ name: "Old elms", version: 2 });
  });

  it("are limited to the newest ones, and are deleted with their preset", async () => {
    const id = await create("Oaks", { prompt: "0" });
    for (let change = 1; change <= presetLimits.versions + 2; change += 1)
      await ask("PATCH", `/${id}`, { input: { prompt: `${change}` } });
    const numbers = (await versions(id)).map(({ version }) => version);
    expect(numbers).toHaveLength(presetLimits.versions + 1);
    expect(numbers[0]).toBe(presetLimits.versions + 3);
    expect(numbers.at(-1)).toBe(3);
    await ask("DELETE", `/${id}`);
    const { queries } = gateway.context.database;
    expect(await queries.select().from(presetVersions).where(eq(presetVersions.presetId, id))).toEqual([]);
  });

  it("are missing for changes made before versions were stored", async () => {
    const id = await create("Yews", { prompt: "a yew" });
    const { queries } = gateway.context.database;
    await queries.update(presets).set({ version: 5 }).where(eq(presets.id, id));
    expect((await versions(id)).map(({ version }) => version)).toEqual([5]);
  });

  it("when two changes arrive at the same time, one is refused and the other is stored once", async () => {
    const id = await create("Limes", { prompt: "a lime" });
    const change = (prompt: string) => ask("PATCH", `/${id}`, { input: { prompt }, version: 1 });
    const statuses = (await Promise.all([change("one"), change("two")])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect((await versions(id)).map(({ version }) => version)).toEqual([2, 1]);
  });

  it("keep a reference to a file only as long as its upload", async () => {
    const upload = await verifiedUpload(gateway, account.key);
    const media = [{ url: upload.reference, type: "reference_image" }];
    const id = await create("Media", { prompt: "a pine", media });
    await ask("PATCH", `/${id}`, { input: { prompt: "no file" } });
    const old = async () => (await ask("GET", `/${id}/versions/1`)).body;
    expect(await old()).toMatchObject({ input: { media }, media: [{ path: "/media/0/url" }] });
    const { queries } = gateway.context.database;
    const past = new Date(Date.now() - 1000);
    await queries.update(uploads).set({ objectExpiresAt: past }).where(eq(uploads.id, upload.id));
    const gone = {
      input: { prompt: "a pine", media: [{ type: "reference_image" }] },
      media: [{ path: "/media/0/url", kept_until: null }],
    };
    expect(await old()).toMatchObject(gone);
    await queries.update(presetVersions).set({ mediaExpiresAt: past }).where(eq(presetVersions.presetId, id));
    await sweepAll(gateway.context, presetMediaSweep);
    const [row] = await queries.select().from(presetVersions).where(eq(presetVersions.presetId, id));
    expect(JSON.stringify(row)).not.toContain(upload.reference);
    expect(row?.mediaExpiresAt).toBeNull();
    expect((await ask("POST", `/${id}/versions/1/restore`)).body).toMatchObject({ version: 3, ...gone });
  });
});
