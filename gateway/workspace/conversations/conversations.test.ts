import { describe, expect, it } from "vitest";
import { conversationLimits } from "#contract/conversation-constants.ts";
import type { ConversationContents } from "#contract/conversations.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { smallImage } from "#gateway/models/catalog/example-media.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { conversations } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { conversationHistorySweep } from "./conversations.ts";

describe("conversations", () => {
  const gateway = shared(() => startTestGateway({ role: "api", historyDays: 7 }));
  const account = shared(() => gateway.createAccount());

  const ask = (method: string, path: string, body?: unknown, bearer = account.session) =>
    call(gateway, bearer, method, `/conversations${path}`, body);
  const said = (parent: number | null, role: string, content: unknown) => ({
    parent,
    message: { role, content },
  });
  const contents: ConversationContents = {
    system: "Be brief.",
    settings: { temperature: 0.2, stream: true },
    messages: [
      said(null, "user", "Name a river."),
      { ...said(0, "assistant", "The Rhine."), facts: { model: "svc/chat-1", reasoning: "Which one?" } },
      { ...said(0, "assistant", "The Danube."), facts: { model: "svc/chat-1", ended: "stopped" } },
    ],
    current: 2,
    second_current: null,
  };
  const rivers = { name: " Rivers ", model: "svc/chat-1", contents };

  it("are saved with their branches, opened, renamed, replaced and deleted by colleagues", async () => {
    const made = await ask("POST", "", rivers);
    const id = String(made.body.id);
    expect([made.status, made.headers.get("location")]).toEqual([201, `${gateway.url}/conversations/${id}`]);
    expect(made.body).toMatchObject({
      object: "conversation",
      name: "Rivers",
      second_model: null,
      version: 1,
      changed_by: null,
      gated: null,
      contents,
      made_by: { user: { id: account.userId }, key: null },
    });
    const { updated_at: updatedAt, kept_until: keptUntil } = made.body as Record<string, string>;
    expect(Date.parse(keptUntil ?? "") - Date.parse(updatedAt ?? "")).toBe(7 * 86_400_000);
    const colleague = await gateway.addMember(account, "member");
    const change = { version: 1, name: "Streams", second_model: "svc/chat-2" };
    expect((await ask("PATCH", `/${id}`, change, colleague.session)).body).toMatchObject({
      name: "Streams",
      second_model: "svc/chat-2",
      version: 2,
      contents,
      changed_by: { user: { id: colleague.userId } },
    });
    const [listed] = (await ask("GET", "?search=STREAM")).body.data as Record<string, unknown>[];
    expect(listed).toMatchObject({ id, name: "Streams" });
    expect(listed).not.toHaveProperty("contents");
    expect((await ask("GET", "?search=%25")).body.data).toEqual([]);
    expect((await ask("GET", "?model=svc/chat-2")).body.data).toEqual([]);
    expect((await ask("DELETE", `/${id}`, undefined, colleague.session)).status).toBe(200);
    expect((await ask("GET", `/${id}`)).body.error).toMatchObject({ code: "conversation_not_found" });
    const { body } = await call(gateway, account.session, "GET", "/audit_logs");
    const actions = (body.data as { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("conversation."))).toEqual([
      "conversation.deleted",
      "conversation.updated",
      "conversation.created",
    ]);
  });

  it("are not overwritten by somebody who has read an older version", async () => {
    const { id } = (await ask("POST", "", rivers)).body;
    expect((await ask("PATCH", `/${id}`, { version: 1, contents })).body.version).toBe(2);
    const late = await ask("PATCH", `/${id}`, {
      version: 1,
      contents: { ...contents, messages: [], current: null },
    });
    expect([late.status, late.body.error]).toEqual([
      409,
      expect.objectContaining({ code: "conversation_changed", param: "version" }),
    ]);
    expect((await ask("GET", `/${id}`)).body.contents).toEqual(contents);
    expect((await ask("PATCH", `/${id}`, { name: "No version" })).body.error).toMatchObject({
      code: "missing_parameter",
    });
  });

  it("reject invalid conversations, and never store a confirmation", async () => {
    const refused = async (change: Record<string, unknown>, top: Record<string, unknown> = {}) => {
      const { body } = await ask("POST", "", { ...rivers, ...top, contents: { ...contents, ...change } });
      const { code, param } = body.error as { code: string; param: string };
      return [code, param];
    };
    expect(await refused({ settings: { person_rights_confirmed: true } })).toEqual([
      "invalid_parameter",
      "contents.settings.person_rights_confirmed",
    ]);
    expect(await refused({ settings: { messages: [] } })).toEqual([
      "invalid_parameter",
      "contents.settings.messages",
    ]);
    expect(await refused({ messages: [said(0, "user", "in a circle")], current: 0 })).toEqual([
      "invalid_parameter",
      "contents.messages.0.parent",
    ]);
    expect(await refused({ current: 3 })).toEqual(["invalid_parameter", "contents.current"]);
    expect(await refused({}, { model: "svc/none" })).toEqual(["model_not_found", "model"]);
    expect(await refused({}, { model: "svc/vid-r2v" })).toEqual(["operation_not_supported", "model"]);
    const long = "x".repeat(conversationLimits.contentBytes);
    expect(await refused({ messages: [said(null, "user", long)], current: 0 })).toEqual([
      "input_too_large",
      "contents",
    ]);
    const many = Array.from({ length: conversationLimits.messages + 1 }, () => said(null, "user", "a"));
    expect((await refused({ messages: many, current: 0 }))[0]).toBe("invalid_parameter");
    expect((await refused({}, { name: " " }))[1]).toBe("name");
  });

  it("keep references to uploads, and no files", async () => {
    const upload = await verifiedUpload(gateway, account.key);
    const picture = (url: string) => ({ type: "image_url", image_url: { url } });
    const message = said(null, "user", [
      picture(smallImage),
      picture(String(upload.reference)),
      picture(`${gateway.context.config.publicUrl}/v1/files/a.png?signature=1`),
      picture("https://example.com/a.png"),
    ]);
    const made = await ask("POST", "", {
      ...rivers,
      contents: { ...contents, messages: [message], current: 0 },
    });
    const [kept] = (made.body.contents as ConversationContents).messages;
    expect(kept?.message.content).toEqual([
      picture("upload://removed"),
      picture(String(upload.reference)),
      picture("upload://removed"),
      picture("https://example.com/a.png"),
    ]);
  });

  it("of a gated model can be read only by people who have attested", async () => {
    const { id } = (await ask("POST", "", rivers)).body;
    const { queries } = gateway.context.database;
    // The catalog has no gated chat, but only the model's name matters.
    const gated = { secondModel: "svc/adult-vid-1" };
    await queries
      .update(conversations)
      .set(gated)
      .where(eq(conversations.id, String(id)));
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ gated: "adult", contents: null });
    const [listed] = (await ask("GET", "")).body.data as Record<string, unknown>[];
    expect(listed).toMatchObject({ id, gated: "adult" });
    expect((await ask("PATCH", `/${id}`, { version: 1, contents })).body.error).toMatchObject({
      code: "adult_attestation_required",
    });
    await gateway.attest(account, "adult", "portrait_rights");
    expect((await ask("GET", `/${id}`)).body).toMatchObject({ gated: null, contents });
  });

  it("are removed when nobody has changed them for as long as history is kept", async () => {
    const { id: old } = (await ask("POST", "", rivers)).body;
    const { id: young } = (await ask("POST", "", rivers)).body;
    const { queries } = gateway.context.database;
    await queries
      .update(conversations)
      .set({ updatedAt: new Date(Date.now() - 8 * 86_400_000) })
      .where(eq(conversations.id, String(old)));
    await sweepAll(gateway.context, conversationHistorySweep);
    expect((await ask("GET", `/${old}`)).status).toBe(404);
    expect((await ask("GET", `/${young}`)).status).toBe(200);
  });

  it("are limited in number per account", async () => {
    const other = await gateway.createAccount();
    const rows = Array.from({ length: conversationLimits.perAccount }, (_, at) => ({
      id: `conv_${String(at).padStart(26, "0")}`,
      accountId: other.accountId,
      name: "one of many",
      model: "svc/chat-1",
      contents,
    }));
    await gateway.context.database.queries.insert(conversations).values(rows);
    const { status, body } = await ask("POST", "", rivers, other.session);
    expect([status, body.error]).toEqual([409, expect.objectContaining({ code: "too_many_conversations" })]);
  });
});
