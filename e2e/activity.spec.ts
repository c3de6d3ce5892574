import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

test("a chart shows the runs over time and links to the requests behind it, by mouse and keyboard", async ({
  page,
  ownerApi,
}) => {
  const startedAt = new Date().toISOString();
  const messages = [{ role: "user", content: "hello" }];
  for (let times = 0; times < 3; times += 1)
    await ownerApi.post("/chat/completions", { model: "svc/chat-1", messages });
  await ownerApi.post("/chat/completions", { model: "svc/chat-1" }).catch(() => undefined);
  // The figures are written together with the rows of the log. Other tests wrote some, too.
  const logged = async () => {
    const query = new URLSearchParams({ route: "/chat/completions", created_after: startedAt });
    return ((await ownerApi.get(`/requests?${query}`)) as { data: unknown[] }).data.length;
  };
  await expect.poll(logged, { timeout: 30_000 }).toBe(4);

  await openPage(page, "/activity");
  const runs = page.getByRole("slider", { name: "Runs over time" });
  await expect(runs).toHaveAttribute("aria-valuetext", /succeeded \d+, errors \d+/);
  const table = page.getByRole("table", { name: "Figures by model" });
  await expect(table.getByRole("row").filter({ hasText: "svc/chat-1" })).toBeVisible();
  await page.getByRole("radio", { name: "Status" }).check({ force: true });
  await expect(page.getByRole("table", { name: "Figures by status" })).toContainText("200");
  await expectAccessible(page);

  // Selects the whole chart, because a new minute without runs may have started.
  await runs.focus();
  await runs.press("Shift+Home");
  await runs.press("Enter");
  await page.getByRole("link", { name: "Open the requests" }).click();
  await expect(page).toHaveURL(/\/requests\?created_after=.*created_before=/);
  await expect(page.getByRole("table", { name: "Requests" })).toContainText("/v1/chat/completions");

  await page
    .getByRole("table", { name: "Requests" })
    .getByRole("row")
    .filter({ hasText: "200" })
    .getByRole("link", { name: "POST /v1/chat/completions" })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "POST /v1/chat/completions" })).toBeVisible();
  await expect(page.getByRole("list", { name: "How it went" })).toContainText("Checked by the gateway");
  await expectAccessible(page);

  await openPage(page, "/requests");
  const histogram = page.getByRole("slider", { name: "Requests over time" });
  await histogram.focus();
  await histogram.press("Shift+ArrowLeft");
  await histogram.press("Enter");
  await expect(page).toHaveURL(/created_after=/);
  const box = await histogram.boundingBox();
  if (!box) throw new Error("the chart is not drawn");
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 4 });
  const before = page.url();
  await page.mouse.up();
  await expect(page).not.toHaveURL(before);
  await expectAccessible(page);

  await openPage(page, "/");
  await expect(page.getByRole("slider", { name: "Runs in the last 24 hours" })).toBeVisible();
});
