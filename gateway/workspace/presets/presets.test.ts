import { describe, expect, it } from "vitest";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { presets, uploads } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { presetMediaSweep } from "./input.ts";

describe("presets", () => {
  const gateway = shared(() => startTestGateway({ role: "api" }));
  const account = shared(() => gateway.createAccount());

  const ask = (method: string, path: string, body?: unknown, bearer = account.session) =>
    call(gateway, bearer, method, `/presets${path}`, body);
  const video = { model: "svc/vid-r2v", api_type: "video-generation" };

  it("record their creator, and can be renamed, replaced and deleted by colleagues", async () => {
    const input = { prompt: "a pine", duration: 5 };
    const made = await ask("POST", "", { name: " Pines ", ...video, input });
    const id = String(made.body.id);
    expect([made.status, made.headers.get("location")]).toEqual([201, `${gateway.url}/presets/${id}`]);
    expect(made.body).toMatchObject({
      object: "preset",
      name: "Pines",
      ...video,
      input,
      media: [],
      problems: [],
      made_by: { user: { id: account.userId }, key: null },
    });
    const colleague = await gateway.addMember(account, "member");
    const change = (body: unknown) => ask("PATCH", `/${id}`, body, colleague.session);
    expect((await change({ name: "Firs" })).body).toMatchObject({ name: "Firs", input });
    expect((await change({ input: { prompt: "a fir" } })).body).toMatchObject({
      name: "Firs",
      input: { prompt: "a fir" },
      made_by: { user: { id: account.userId } },
    });
    expect((await ask("POST", "", { name: "firs", ...video, input })).body.error).toMatchObject({
      code: "preset_exists",
    });
    const [listed] = (await ask("GET", "?model=svc/vid-r2v")).body.data as Record<string, unknown>[];
    expect(listed).toMatchObject({ id, name: "Firs", made_by: { user: { id: account.userId } } });
    expect(listed).not.toHaveProperty("input");
    expect((await ask("GET", "?model=svc/chat-1")).body.data).toEqual([]);
    expect((await ask("DELETE", `/${id}`, undefined, colleague.session)).status).toBe(200);
    expect((await ask("GET", `/${id}`)).body.error).toMatchObject({ code: "preset_not_found" });
    const { body } = await call(gateway, account.session, "GET", "/audit_logs");
    const actions = (body.data as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("preset."))).toEqual([
      "preset.deleted",
      "preset.updated",
      "preset.updated",
      "preset.created",
    ]);
  });

  it("are not overwritten by somebody who has read an older version, and show who changed them last", async () => {
    const made = await ask("POST", "", { name: "shared", ...video, input: { prompt: "a pine" } });
    expect(made.body).toMatchObject({ version: 1, changed_by: null });
    const path = `/${made.body.id}`;
    const colleague = await gateway.addMember(account, "member");
    const first = await ask("PATCH", path, { name: "first", version: 1 }, colleague.session);
    expect(first.body).toMatchObject({
      version: 2,
      made_by: { user: { id: account.userId } },
      changed_by: { user: { id: colleague.userId }, key: null },
    });
    const second = await ask("PATCH", path, { name: "second", version: 1 });
    expect([second.status, second.body.error]).toEqual([
      409,
      expect.objectContaining({ code: "preset_changed", param: "version" }),
    ]);
    expect((await ask("GET", path)).body).toMatchObject({ name: "first", version: 2 });
    const listed = (await ask("GET", "")).body.data as Record<string, unknown>[];
    expect(listed.find(({ id }) => id === made.body.id)).toMatchObject({
      version: 2,
      changed_by: { user: { id: colleague.userId } },
    });
    // Without a version the last change wins, as before.
    expect((await ask("PATCH", path, { name: "second" })).body).toMatchObject({ name: "second", version: 3 });
    await ask("DELETE", path);
  });

  it("reject invalid inputs, and never store a confirmation", async () => {
    const refused = async (change: Record<string, unknown>) => {
      const { body } = await ask("POST", "", { name: "x", ...video, input: {}, ...change });
      const { code, param } = body.error as { code: string; param: string };
      return [code, param];
    };
    expect(await refused({ input: { person_rights_confirmed: true } })).toEqual([
      "invalid_parameter",
      "input.person_rights_confirmed",
    ]);
    expect(await refused({ input: { model: "svc/chat-1" } })).toEqual(["invalid_parameter", "input.model"]);
    expect(await refused({ inputs: {} })).toEqual(["invalid_parameter", "inputs"]);
    expect(await refused({ model: "svc/none" })).toEqual(["model_not_found", "model"]);
    expect(await refused({ api_type: "chat-completions" })).toEqual(["operation_not_supported", "model"]);
    expect(await refused({ input: { prompt: "x".repeat(100_001) } })).toEqual(["input_too_large", "input"]);
    expect(await refused({ name: " " })).toEqual(["invalid_parameter", "name"]);
  });

  it("keep no file, and a reference only as long as its upload", async () => {
    const short = await verifiedUpload(gateway, account.key);
    const long = await verifiedUpload(gateway, account.key);
    const media = [
      { url: smallImage, type: "reference_image" },
      { url: short.reference, type: "reference_image" },
      { url: "https://example.com/pine.png", type: "reference_image" },
      { url: long.reference, type: "reference_image" },
    ];
    const made = await ask("POST", "", { name: "media", ...video, input: { prompt: "a pine", media } });
    const path = `/${made.body.id}`;
    expect(made.body.media).toEqual([
      { path: "/media/0/url", kept_until: null },
      { path: "/media/1/url", kept_until: short.object_expires_at },
      { path: "/media/3/url", kept_until: long.object_expires_at },
    ]);
    const urls = async () => {
      const { input } = (await ask("GET", path)).body as { input: { media: { url?: string }[] } };
      return input.media.map(({ url }) => url);
    };
    expect(await urls()).toEqual([
      undefined,
      short.reference,
      "https://example.com/pine.png",
      long.reference,
    ]);

    const { queries } = gateway.context.database;
    const past = new Date(Date.now() - 1000);
    await queries.update(uploads).set({ objectExpiresAt: past }).where(eq(uploads.id, short.id));
    expect(await urls()).toEqual([undefined, undefined, "https://example.com/pine.png", long.reference]);
    await queries.update(presets).set({ mediaExpiresAt: past });
    await presetMediaSweep.run(gateway.context);
    const [row] = await queries.select().from(presets);
    expect(JSON.stringify(row?.input)).not.toContain(short.id);
    expect(JSON.stringify(row?.input)).toContain(long.id);
    expect(row?.mediaExpiresAt?.toISOString()).toBe(long.object_expires_at);
  });

  it("report which fields no longer fit after a schema change", async () => {
    const input = {
      prompt: "a pine",
      duration: 99,
      weather: "rain",
      media: [{ url: smallImage, type: "x" }],
    };
    const made = await ask("POST", "", { name: "old", ...video, input });
    expect(made.body.problems).toEqual([]);
    const { queries } = gateway.context.database;
    await queries
      .update(presets)
      .set({ schemaVersion: 0 })
      .where(eq(presets.id, String(made.body.id)));
    const { body } = await ask("GET", `/${made.body.id}`);
    expect(body).toMatchObject({ schema_version: 0, current_schema_version: expect.any(Number) });
    expect((body.problems as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      "/duration",
      "/media/0/type",
      "/weather",
    ]);
    // A preset that is saved again belongs to the current schema.
    expect((await ask("PATCH", `/${made.body.id}`, { input: { prompt: "x" } })).body).toMatchObject({
      schema_version: body.current_schema_version,
      problems: [],
    });
  });
});
