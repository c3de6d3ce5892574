import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

/** A customer's own page, on its own origin. */
async function startPage(): Promise<{ origin: string; close: () => void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>A page</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test("a page streams a chat with a key that allows its origin; another page cannot", async ({
  page,
  stack,
}) => {
  const [mine, other] = [await startPage(), await startPage()];
  try {
    await openPage(page, "/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create key" });
    await form.getByRole("textbox", { name: "Name" }).fill("my page");
    await form.getByText("Limits: models").click();
    const origins = form.getByRole("textbox", { name: "Allowed origins" });
    await origins.fill("https://example.com/path");
    await form.getByRole("button", { name: "Create key" }).click();
    await expect(form.getByText("is not an origin")).toBeVisible();
    await origins.fill(`${mine.origin}/`);
    await expectAccessibleState(page);
    await form.getByRole("button", { name: "Create key" }).click();
    const key = await new SecretDialog(page, "account key").takeAndClose();
    await expect(page.getByRole("row").filter({ hasText: "my page" })).toContainText(
      `pages of ${mine.origin}`,
    );

    const withOrigins = async (origins: string) => {
      const row = page.getByRole("row").filter({ hasText: "my page" });
      await row.getByRole("button", { name: "Actions for my page" }).click();
      await page.getByRole("menuitem", { name: "Edit origins…" }).click();
      const dialog = page.getByRole("dialog", { name: /Origins of/ });
      await dialog.getByRole("textbox", { name: "Allowed origins" }).fill(origins);
      await expectAccessibleState(page);
      await dialog.getByRole("button", { name: "Save origins" }).click();
      await expect(dialog).toBeHidden();
      return row;
    };
    await expect(await withOrigins("")).not.toContainText("pages of");
    await expect(await withOrigins(mine.origin)).toContainText(`pages of ${mine.origin}`);

    const ask = () =>
      page.evaluate(
        async ({ url, bearer }) => {
          const answer = await fetch(`${url}/chat/completions`, {
            method: "POST",
            headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
            body: JSON.stringify({
              model: "svc/chat-1",
              messages: [{ role: "user", content: "hello" }],
              stream: true,
            }),
          });
          const text = await answer.text();
          return {
            status: answer.status,
            id: answer.headers.get("x-request-id"),
            isWhole: text.includes("[DONE]"),
          };
        },
        { url: stack.gatewayUrl, bearer: key },
      );
    await page.goto(mine.origin);
    expect(await ask()).toMatchObject({ status: 200, id: expect.stringMatching(/^req_/), isWhole: true });
    await page.goto(other.origin);
    await expect(ask()).rejects.toThrow("Failed to fetch");
  } finally {
    mine.close();
    other.close();
  }
});
