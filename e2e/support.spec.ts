import type { Locator, Page } from "@playwright/test";
import { expect, signedOut, test } from "./fixtures.ts";
import type { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { colleagueOf } from "./pages/colleague.ts";
import { openPage } from "./pages/open-page.ts";
import { signInWithKey } from "./pages/sign-in.ts";
import { until } from "./seed-data.ts";

/** The delivery of a delivered event, as the gateway lists it. */
interface Accepted {
  id: string;
  event_id: string;
  prediction_id: string;
}

/** Runs an image for a customer and delivers its event to a separate endpoint. */
async function accepted(api: GatewayApi, url: string, customer: string): Promise<Accepted> {
  const endpoint = await api.post("/webhooks/endpoints", { url });
  const prediction = await api.post("/images/generations", {
    model: "svc/img-gen-b",
    prompt: "A lighthouse",
    quality: "low",
    size: "1024x1024",
    output_format: "png",
    metadata: { customer },
  });
  const log = `/webhooks/deliveries?endpoint_id=${endpoint.id}&prediction_id=${prediction.id}&status=delivered`;
  return until(async () => ((await api.get(log)) as { data: Accepted[] }).data[0]);
}

test.describe("an accepted event is sent again within three clicks", () => {
  let clicks: number;
  const click = (target: Locator) => {
    clicks += 1;
    return target.click();
  };
  test.beforeEach(() => {
    clicks = 0;
  });

  const ways: [string, (page: Page, delivery: Accepted, place: string) => Promise<void>][] = [
    [
      "from its endpoint",
      async (page, _delivery, place) => {
        await openPage(page, "/webhooks/endpoints");
        await click(page.getByRole("link", { name: new RegExp(place) }));
        const recent = page.getByRole("region", { name: "Recent deliveries" });
        await click(recent.getByRole("button", { name: "Send again" }).first());
      },
    ],
    [
      "from the customer's name",
      async (page, _delivery, place) => {
        await openPage(page, "/predictions");
        await page.getByRole("searchbox", { name: "Metadata" }).fill(`customer=${place}`);
        await page.keyboard.press("Enter");
        await page.waitForURL(/metadata=/);
        await expect(page.getByRole("link", { name: "A lighthouse" })).toHaveCount(1);
        await click(page.getByRole("link", { name: "A lighthouse" }));
        const sent = page
          .getByRole("region", { name: "Deliveries" })
          .getByRole("listitem")
          .filter({ hasText: place });
        await click(sent.getByRole("button", { name: "Send again" }));
      },
    ],
    [
      "from an event id in a line of a log",
      async (page, delivery) => {
        await openPage(page, "/");
        await page.keyboard.press("ControlOrMeta+k");
        const search = page.getByRole("combobox", { name: "Search or go to" });
        await search.fill(`"event_id":"${delivery.event_id}",`);
        await expect(page.getByRole("option", { name: /Deliveries of event/ })).toBeVisible();
        await page.keyboard.press("Enter");
        await page.waitForURL(/event_id=/);
        const row = page.locator("tr").filter({ has: page.locator(`a[href*="${delivery.id}"]`) });
        await click(row.getByRole("button", { name: "Send again" }));
      },
    ],
  ];
  for (const [name, find] of ways)
    test(name, async ({ page, ownerApi, receiver }) => {
      const place = name.replaceAll(/\W+/g, "-");
      const delivery = await accepted(ownerApi, `${receiver.url}/${place}`, place);
      await find(page, delivery, place);
      const dialog = page.getByRole("dialog", { name: "Send this event again?" });
      await expect(dialog).toContainText(delivery.event_id);
      await expectAccessibleState(page);
      await click(dialog.getByRole("button", { name: "Send again" }));
      await expect(page.getByText("Queued", { exact: true })).toBeVisible();
      expect(clicks).toBeLessThanOrEqual(3);
      const ofEvent = () => receiver.received.filter(({ body }) => body.includes(delivery.event_id));
      await expect.poll(() => ofEvent().filter(({ path }) => path === `/${place}`).length).toBe(2);
    });
});

test("a customer's missing webhook is found in four steps from Ctrl K, by all who may see it", async ({
  page,
  browser,
  stack,
  ownerApi,
  receiver,
}) => {
  const customer = `hatter-${Date.now()}`;
  const url = `${receiver.url}/${customer}`;
  receiver.answer(({ path }, response) => response.writeHead(path.includes(customer) ? 500 : 204).end());
  await ownerApi.post("/webhooks/endpoints", { url, description: `Orders of ${customer}` });
  const { id } = await ownerApi.post("/images/generations", {
    ...{ model: "svc/img-gen-b", prompt: "A hat", quality: "low", size: "1024x1024", output_format: "png" },
    metadata: { customer },
  });
  const tried = `/webhooks/deliveries?prediction_id=${id}&status_class=5xx`;
  await until(async () => ((await ownerApi.get(tried)) as { data: unknown[] }).data[0]);

  await openPage(page, "/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search or go to" }).fill(`customer=${customer}`);
  await expect(page.getByRole("option", { name: `Everything with customer=${customer}` })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: `customer=${customer}` })).toBeVisible();
  const counts = (of: Page) => of.getByRole("list", { name: "Counts" }).getByRole("listitem");
  // Endpoints of other tests may fail too.
  await expect(counts(page)).toContainText([/Requests/, /1\s*Predictions/, /[1-9]\d* not delivered/, /Cost/]);
  await expect(page.getByRole("region", { name: "Endpoints" })).toContainText(`Orders of ${customer}`);
  const missedIn = (of: Page) => of.getByRole("row").filter({ hasText: "The receiver answered 500" });
  await expectAccessible(page);
  const address = new URL(page.url());
  await missedIn(page).getByRole("link").click();
  await expect(page).toHaveURL(/\/webhooks\/deliveries\/dlv_/);

  const { secret } = await ownerApi.post("/keys", { name: "deliveries only", scopes: ["webhooks"] });
  const theirs = await (await browser.newContext(signedOut)).newPage();
  await signInWithKey(theirs, stack.consoleUrl, String(secret), `/metadata${address.search}`);
  await expect(theirs.getByRole("heading", { level: 1, name: `customer=${customer}` })).toBeVisible();
  await expect(counts(theirs)).toHaveCount(1);
  await expect(counts(theirs)).toContainText(["Deliveries"]);
  await expect(missedIn(theirs)).toBeVisible();
  await theirs.context().close();
});

test("what a customer's assistant answered on a day is found in four actions, by those who may read it", async ({
  page,
  browser,
  ownerApi,
}) => {
  await ownerApi.patch("/account", { contents: { keep: "all" } });
  const customer = `march-hare-${Date.now()}`;
  const messages = [{ role: "user", content: "Is there any tea left?" }];
  await ownerApi.post("/chat/completions", { model: "svc/chat-1", messages, metadata: { customer } });
  await openPage(page, "/requests");
  await page.getByRole("searchbox", { name: "Metadata" }).fill(`customer=${customer}`);
  await page.keyboard.press("Enter");
  await page.waitForURL(/metadata=/);
  await page.getByRole("combobox", { name: "Time" }).selectOption("Today");
  await page.waitForURL(/created_after=/);
  await expect(page.getByText("Is there any tea left?")).toBeVisible();
  await page.getByRole("row").getByRole("link", { name: "/v1/chat/completions" }).click();
  const said = page.getByRole("list", { name: "Conversation" });
  await expect(said).toContainText("Sandbox reply");
  await expectAccessibleState(page);

  const viewer = await colleagueOf(browser, page.url(), ownerApi, "viewer");
  await expect(viewer.getByText("Only owners and admins can read it.")).toBeVisible();
  await expect(viewer.getByText("Is there any tea left?")).toHaveCount(0);
  await openPage(viewer, new URL("/requests", page.url()).href);
  await expect(viewer.getByRole("searchbox", { name: "Metadata" })).toBeVisible();
  await expect(viewer.getByRole("searchbox", { name: "Words in contents" })).toHaveCount(0);
  await expect(viewer.getByRole("button", { name: "JSONL" })).toHaveCount(0);
  await viewer.context().close();
  await ownerApi.patch("/account", { contents: { keep: "off" } });
});

test("a colleague sees a note as plain text, and deleting the note can be undone", async ({
  page,
  browser,
  ownerApi,
  seedData,
}) => {
  await openPage(page, `/webhooks/deliveries/${seedData.delivery}`);
  const notes = page.getByRole("region", { name: "Notes" });
  await notes.getByRole("button", { name: "Leave a note" }).click();
  await expect(notes.getByRole("textbox", { name: "Note" })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(notes.getByText("Write the note first.")).toBeVisible();
  const text = "<b>acme</b> called, javascript:alert(1)\nsee https://tickets.example/7.";
  await page.keyboard.insertText(text);
  await expectAccessibleState(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  const item = notes.getByRole("listitem").filter({ hasText: "acme" });
  await expect(item).toContainText("<b>acme</b> called, javascript:alert(1)");
  await expect(notes.getByRole("button", { name: "Leave a note" })).toBeFocused();
  await expect(item.getByRole("link")).toHaveCount(1);
  await expect(item.getByRole("link")).toHaveAttribute("href", "https://tickets.example/7");
  await expectAccessibleState(page);

  const colleague = await colleagueOf(browser, page.url(), ownerApi, "member");
  const theirs = colleague.getByRole("region", { name: "Notes" });
  await expect(theirs.getByRole("listitem").filter({ hasText: "acme" })).toBeVisible();
  await expect(theirs.getByRole("button", { name: /^(Change|Delete) the note/ })).toHaveCount(0);
  const later = `Called back at ${Date.now()}`;
  await ownerApi.post(`/webhooks/deliveries/${seedData.delivery}/notes`, { text: later });
  await expect(theirs.getByText(later)).toBeVisible();
  await colleague.context().close();

  await item.getByRole("button", { name: /^Change the note/ }).click();
  await notes.getByRole("textbox", { name: "Note" }).fill("Solved.");
  await notes.getByRole("button", { name: "Save changes" }).click();
  const list = await page.context().newPage();
  // Other tests' deliveries may fill the first page of the whole log.
  await openPage(list, `/webhooks/deliveries?prediction_id=${seedData.prediction}`);
  const row = list.getByRole("row").filter({ has: list.locator(`a[href*="${seedData.delivery}"]`) });
  await expect(row.getByTitle(/^\d+ notes?$/)).toBeVisible();
  await list.close();
  const solved = notes.getByRole("listitem").filter({ hasText: "Solved." });
  await expect(solved).toContainText("changed");
  await solved.getByRole("button", { name: /^Delete the note/ }).click();
  await expect(solved).toBeHidden();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(solved).toBeVisible();
  await page.reload();
  await expect(solved).toBeVisible();
});
