import type { Page } from "@playwright/test";
import { expect, signedOut, test } from "./fixtures.ts";
import { type Agent, startAgent } from "./pages/agent.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { fillSignIn } from "./pages/sign-in.ts";

const mcpOf = (gatewayUrl: string) => gatewayUrl.replace(/\/v1$/, "/mcp");
const heading = (page: Page, name: RegExp | string) => page.getByRole("heading", { level: 1, name });

/** Gives the agent a budget and the models that need no attestation. */
async function allow(page: Page): Promise<void> {
  // Enabled once the form works.
  await expect(page.getByRole("button", { name: "Allow" })).toBeEnabled();
  await page.getByText("Limits by unit").first().click();
  await page.getByRole("textbox", { name: "Chat tokens" }).fill("100000");
  await page.getByRole("button", { name: "Allow" }).click();
}

/** The agent runs a model with its tools. */
async function runsAModel({ client }: Agent): Promise<void> {
  const answer = await client.callTool({
    name: "run",
    arguments: { model: "svc/chat-1", input: { messages: [{ role: "user", content: "Hello" }] } },
  });
  expect(JSON.stringify(answer.structuredContent)).toContain("succeeded");
}

test("an agent that knows only the address registers itself, and a person grants, sees and ends its access", async ({
  page,
  stack,
  ownerApi,
}) => {
  const agent = await startAgent(mcpOf(stack.gatewayUrl));
  try {
    await page.goto(await agent.startUrl());
    await expect(heading(page, "Connect Harbour agent?")).toBeVisible();
    await expect(page.getByText("Nobody has checked who this client is")).toBeVisible();
    await expect(page.getByText("a program on this device (127.0.0.1:")).toBeVisible();
    await expectAccessible(page);

    // A budget is required.
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByText("Enter at least one limit below")).toBeVisible();
    await page.getByRole("radio", { name: "Only the models that I choose" }).check();
    await page.getByRole("checkbox", { name: "svc/chat-1", exact: true }).check();
    await page.getByText("Models that cannot be chosen").click();
    await expect(page.getByText("svc/swap-1: ")).toBeVisible();
    await expectAccessibleState(page);
    await allow(page);
    await expect(heading(page, "Back")).toBeVisible();
    await agent.finish();
    await runsAModel(agent);
    // The page does not update automatically, and the log of its calls is written every half second.
    await expect
      .poll(async () => ((await ownerApi.get("/requests?route=/mcp")) as { data: unknown[] }).data.length)
      .toBeGreaterThan(0);

    await openPage(page, `${stack.consoleUrl}/settings/connections`);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Harbour agent" }).first().click();
    await expect(heading(page, "Harbour agent")).toBeVisible();
    await expect(page.getByRole("table", { name: "Requests" })).toContainText("/mcp");
    await expect(page.getByRole("main")).toContainText("svc/chat-1");
    await expectAccessible(page);

    await page.getByRole("button", { name: "Edit budgets" }).click();
    const budget = page.getByRole("dialog", { name: /Budgets of/ });
    await budget.getByRole("textbox", { name: "Chat tokens" }).fill("200000");
    await budget.getByRole("textbox", { name: "Per week: limit" }).fill("2.50");
    await budget.getByRole("button", { name: "Save budgets" }).click();
    await expect(page.getByText("of 200,000 tokens this month")).toBeVisible();
    await expect(page.getByText("0 of 2.5 USD this week")).toBeVisible();
    await page.getByRole("button", { name: "Change expiry" }).click();
    const end = page.getByRole("dialog", { name: "Change the expiry" });
    await end.getByRole("combobox", { name: "Connected" }).selectOption("7");
    await expectAccessibleState(page);
    await end.getByRole("button", { name: "Save expiry" }).click();
    await expect(end).toBeHidden();

    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("main").getByText("Ended", { exact: true }).first()).toBeVisible();
    await expect(runsAModel(agent)).rejects.toThrow();
  } finally {
    await agent.close();
  }
});

test("an agent with a metadata document is identified by its host, and is notified when the person declines", async ({
  page,
  stack,
  receiver,
}) => {
  const address = `${receiver.url}/agent.json`;
  receiver.answer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        client_id: address,
        client_name: "Documented agent",
        redirect_uris: ["http://127.0.0.1:1/callback"],
        token_endpoint_auth_method: "none",
      }),
    ),
  );
  for (const isAllowed of [false, true]) {
    const agent = await startAgent(mcpOf(stack.gatewayUrl), address);
    try {
      await page.goto(await agent.startUrl());
      await expect(heading(page, "Connect Documented agent?")).toBeVisible();
      await expect(page.getByText("confirms that this is its client")).toBeVisible();
      await expect(page.getByRole("button", { name: "Allow" })).toBeEnabled();
      if (isAllowed) await allow(page);
      else await page.getByRole("button", { name: "Deny" }).click();
      await expect(heading(page, "Back")).toBeVisible();
      if (!isAllowed) {
        await expect(agent.finish()).rejects.toThrow("access_denied");
        continue;
      }
      await agent.finish();
      await runsAModel(agent);
    } finally {
      await agent.close();
    }
  }
});

test("an address that does not belong to the client is shown, and nobody is sent there", async ({
  page,
  stack,
}) => {
  const registered = await fetch(`${stack.gatewayUrl.replace(/\/v1$/, "")}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: ["https://agent.example/callback"] }),
  });
  const { client_id: id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: "https://evil.example/callback",
    response_type: "code",
  });
  await page.goto(`/authorize?${query}`);
  await expect(heading(page, "This client cannot be connected")).toBeVisible();
  await expect(page.getByText("has not registered the redirect address")).toBeVisible();
  await expectAccessible(page);
  const answer = await page.request.get(`/authorize?${query}`);
  expect(answer.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test.describe("a signed-out person", () => {
  test.use(signedOut);

  test("signs in first, and returns to the consent page", async ({ page, stack }) => {
    const agent = await startAgent(mcpOf(stack.gatewayUrl));
    try {
      await page.goto(await agent.startUrl());
      await fillSignIn(page, stack.owner);
      await expect(heading(page, "Connect Harbour agent?")).toBeVisible();
      await allow(page);
      await expect(heading(page, "Back")).toBeVisible();
      await agent.finish();
      await runsAModel(agent);
    } finally {
      await agent.close();
    }
  });
});
