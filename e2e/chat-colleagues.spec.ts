import { expect, test } from "./fixtures.ts";
import type { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { ChatPage } from "./pages/chat-page.ts";
import { colleagueOf } from "./pages/colleague.ts";
import { openPage } from "./pages/open-page.ts";

/** A saved conversation with one question and its answer. Returns the path of its link. */
async function saved(api: GatewayApi, model: string): Promise<string> {
  const { id } = await api.post("/conversations", {
    name: "Harbours",
    model,
    contents: {
      system: null,
      settings: {},
      messages: [
        { parent: null, message: { role: "user", content: "Tell me of harbours." } },
        { parent: 0, message: { role: "assistant", content: "They are calm." } },
      ],
      current: 1,
      second_current: null,
    },
  });
  return `/conversations/${id}`;
}

test("a colleague without the right to run reads a conversation by its link", async ({
  browser,
  ownerApi,
  baseURL,
}) => {
  const page = await colleagueOf(
    browser,
    baseURL + (await saved(ownerApi, "svc/chat-1")),
    ownerApi,
    "viewer",
  );
  const chat = new ChatPage(page);
  await expect(page.getByText(/^Conversation “Harbours” by .+ opened\.$/)).toBeVisible();
  await expect(chat.answers).toContainText("They are calm.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Harbours/);
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText("Harbours");
  await expect(page).toHaveTitle("Harbours · Gatehouse");
  await expect(chat.send).toHaveCount(0);
  await expect(chat.input.getByText("Your role cannot run operations.")).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await chat.say("And canals?");
  await expect(chat.answers).toHaveCount(1);
  expect(asked.filter((url) => url.includes("/chat/completions"))).toEqual([]);
  await expectAccessible(page);
  await page.context().close();
});

test("a colleague without the required attestation is asked for it, and can neither see nor run anything", async ({
  browser,
  ownerApi,
  baseURL,
}) => {
  const id = "own/gated-chat";
  const template = { model: "svc/chat-1", api_type: "chat-completions" };
  const gate = { adult_attestation_required: true };
  await ownerApi.post("/operator/models", { id, template, safety_requirements: gate });
  await ownerApi.attest("adult");
  const path = await saved(ownerApi, id);
  const page = await colleagueOf(browser, baseURL + path, ownerApi, "member");
  await expect(page.getByText("Attest to open this conversation")).toBeVisible();
  await expect(page.getByText("They are calm.")).toHaveCount(0);
  await expectAccessible(page);

  // Opens the address to which the link leads.
  const conversation = path.split("/").at(-1);
  await openPage(page, `${baseURL}/playground/${id}/chat-completions?from=${conversation}`);
  await expect(page.getByText(/^To open this conversation, first give the attestation/)).toBeVisible();
  const chat = new ChatPage(page);
  await chat.tab("Chat");
  await expect(page.getByText("They are calm.")).toHaveCount(0);
  await chat.say("And canals?");
  await expect(page.getByRole("dialog")).toContainText("adult");
  await expect(chat.answers).toHaveCount(0);
  await page.context().close();
});
