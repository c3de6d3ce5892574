import { test as base, expect, signedOut } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { type Gate, openGate } from "./gateway-gate.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { isAlive, openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { signIn, signInWithKey } from "./pages/sign-in.ts";
import { until } from "./seed-data.ts";
import { startConsole, startStack } from "./stack.ts";

/** A separate console, whose connection to the gateway can be cut. */
interface Gated {
  gate: Gate;
  consoleUrl: string;
}

const test = base.extend<object, { gated: Gated }>({
  gated: [
    async ({ stack }, use) => {
      const gate = await openGate(stack.gatewayUrl);
      const { url, stop } = await startConsole(gate.url);
      await use({ gate, consoleUrl: url });
      await stop();
      await gate.close();
    },
    { scope: "worker" },
  ],
});

test.use(signedOut);

const RETENTION_MS = 3_000;
const picture = {
  model: "svc/img-gen-b",
  prompt: "a kite",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

test.describe("a console with a gate before the gateway", () => {
  // These tests run one after the other, with one console.
  test.describe.configure({ mode: "default" });

  test("an unreachable gateway is reported, and no typed text is lost", async ({
    page,
    stack,
    gated: { gate, consoleUrl },
  }) => {
    await signIn(page, { ...stack, consoleUrl });
    const playground = new Playground(page);
    await openPage(page, `${consoleUrl}/playground/svc/tts-b-1/text-to-speech`);
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("The lighthouse keeper sleeps.");
    await gate.shut();
    await playground.run.click();
    await expect(playground.result.getByRole("alert")).toContainText("The gateway cannot be reached");
    await expect(page.getByRole("textbox", { name: "Text", exact: true })).toHaveValue(
      "The lighthouse keeper sleeps.",
    );
    await expectAccessibleState(page);
    for (const path of ["/predictions", "/webhooks/endpoints", "/catalog", "/"]) {
      await page.goto(consoleUrl + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("The gateway cannot be reached").first()).toBeVisible();
    }
    await page.context().clearCookies();
    await page.goto(`${consoleUrl}/sign-in`);
    await page.getByRole("textbox", { name: "E-mail" }).fill(stack.owner.email);
    await page.getByLabel(/^Password/).fill(stack.owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("The gateway cannot be reached. Check that it is running")).toBeVisible();

    await gate.reopen();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => url.pathname !== "/sign-in");
    await openPage(page, `${consoleUrl}/playground/svc/tts-b-1/text-to-speech`);
    await expect(page.getByRole("textbox", { name: "Text", exact: true })).toHaveValue(
      "The lighthouse keeper sleeps.",
    );
    await playground.run.click();
    await expect(playground.result.getByText("Succeeded")).toBeVisible();
  });

  test("every open page reports at once that the gateway is gone, keeps its content, and continues when the gateway is back", async ({
    page,
    context,
    stack,
    gated: { gate, consoleUrl },
  }) => {
    const stream = context.waitForEvent("response", (answer) => answer.url().endsWith("/current/events"));
    await signIn(page, { ...stack, consoleUrl }, "/catalog");
    const home = await context.newPage();
    await openPage(home, `${consoleUrl}/`);
    const batches = await context.newPage();
    await openPage(batches, `${consoleUrl}/batches`);
    const pages = [page, home, batches];
    await stream;
    await gate.shut();
    const shutAtMs = Date.now();
    for (const open of pages)
      await expect(open.getByText("The gateway cannot be reached. This page shows")).toBeVisible();
    expect(Date.now() - shutAtMs).toBeLessThan(6_000);
    await expect(home.getByRole("heading", { name: "Home" })).toBeVisible();
    await gate.reopen();
    for (const open of pages)
      await expect(open.getByText("The gateway cannot be reached. This page shows")).toBeHidden();
  });

  test("a slow action does not block the next one", async ({
    page,
    stack,
    ownerApi,
    gated: { gate, consoleUrl },
  }) => {
    const endpoint = await ownerApi.post("/webhooks/endpoints", { url: "https://example.com/slow" });
    try {
      await signIn(page, { ...stack, consoleUrl });
      await openPage(page, `${consoleUrl}/webhooks/endpoints/${endpoint.id}`);
      const release = gate.hold(`/${endpoint.id}/test`);
      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Description" }).fill("answers late");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByText("Endpoint updated")).toBeVisible();
      await expect(page.getByText("Test event queued")).toBeHidden();
      release();
      await expect(page.getByText("Test event queued")).toBeVisible();
    } finally {
      await ownerApi.delete(`/webhooks/endpoints/${endpoint.id}`);
    }
  });

  test("while the gateway is slow, a shortcut to another page shows at once that the page loads", async ({
    page,
    stack,
    gated: { gate, consoleUrl },
  }) => {
    await signIn(page, { ...stack, consoleUrl });
    await openPage(page, `${consoleUrl}/webhooks/deliveries`);
    // To a page of the same section, to other sections, and to the instance.
    for (const [letter, held, title] of [
      ["d", "/v1/keys", "Keys"],
      ["r", "/v1/predictions", "Predictions"],
      ["a", "/v1/usage", "Usage"],
      ["i", "/v1/operator/first_steps", "First steps"],
    ] as const) {
      const release = gate.hold(held);
      await page.keyboard.press("g");
      await page.keyboard.press(letter);
      await expect(page.locator("main").getByRole("status", { name: "Loading" }).first()).toBeVisible();
      release();
      await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    }
  });
});

test("when the session expires while a form is open, signing in continues with the same draft", async ({
  page,
  stack,
  ownerApi,
}) => {
  const key = await ownerApi.post("/keys", { name: "ends soon" });
  await signInWithKey(page, stack.consoleUrl, String(key.secret));
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  const text = page.getByRole("textbox", { name: "Text", exact: true });
  await text.fill("Half a sentence");
  await ownerApi.delete(`/keys/${key.id}`);
  await until(async () => {
    const { status } = await new GatewayApi(stack.gatewayUrl, String(key.secret)).send("GET", "/account");
    return status === 401 || undefined;
  });
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await expect(text).toBeHidden();
  await page.getByRole("status").getByRole("button", { name: "Sign in again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("tab", { name: "E-mail" }).click();
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(stack.owner.email);
  await dialog.getByLabel(/^Password/).fill(stack.owner.password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/playground\/svc\/tts-b-1/);
  await expect(text).toHaveValue("Half a sentence");
  await playground.run.click();
  await expect(playground.result.getByText("Succeeded")).toBeVisible();
  await expect(page.getByText("Your session has ended.")).toBeHidden();
});

test("a rate limit counts down, and its automatic retry can be canceled", async ({
  page,
  stack,
  ownerApi,
}) => {
  const key = await ownerApi.post("/keys", { name: "slow", requests_per_minute: 1 });
  await signInWithKey(page, stack.consoleUrl, String(key.secret));
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  await playground.run.click();
  await expect(playground.result.getByText("Succeeded")).toBeVisible();
  await page.getByRole("textbox", { name: "Text", exact: true }).fill("Once more");
  await playground.run.click();
  const countdown = playground.result.getByText(/Runs again in \d+ s/);
  await expect(countdown).toBeVisible();
  await expectAccessibleState(page);
  const first = secondsIn(await countdown.textContent());
  expect(first).toBeGreaterThan(1);
  expect(first).toBeLessThanOrEqual(60);
  await expect.poll(async () => secondsIn(await countdown.textContent())).toBeLessThan(first);
  await playground.result.getByRole("button", { name: "Cancel" }).click();
  await expect(playground.result.getByText(/Wait \d+ s/)).toBeVisible();
  await expect(playground.result.getByRole("button", { name: "Run again" }).last()).toBeDisabled();
});

test("a key cannot attest, and the dialog names who can", async ({ page, stack, ownerApi, gatewayKey }) => {
  await ownerApi.withdraw("adult");
  await signInWithKey(page, stack.consoleUrl, gatewayKey);
  const playground = new Playground(page);
  await playground.open("svc/adult-vid-1", "video-generation");
  await playground.run.click();
  const dialog = page.getByRole("dialog", { name: "Adult attestation" });
  await expect(dialog).toContainText("To attest, sign in with e-mail and password.");
  await expect(dialog.getByRole("checkbox")).toHaveCount(0);
});

test("withdrawing an attestation in another tab closes the gate again", async ({ page, stack, ownerApi }) => {
  await ownerApi.attest("adult");
  await signIn(page, stack);
  const playground = new Playground(page);
  await playground.open("svc/adult-vid-1", "video-generation");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("a kite over the dunes");
  await expect(playground.facts).toContainText("Gates passed");
  await ownerApi.withdraw("adult");
  await playground.run.click();
  await expect(page.getByRole("dialog", { name: "Adult attestation" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(playground.result.getByRole("button", { name: "Show requirements" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue(
    "a kite over the dunes",
  );
});

test("a prediction keeps its timeline after its files were removed", async ({ page }) => {
  const { stack, stop } = await startStack({ settings: { RETENTION_MS: String(RETENTION_MS) } });
  try {
    const api = await GatewayApi.signIn(stack);
    const { id } = await api.post("/images/generations", picture);
    await until(async () => ((await api.get(`/predictions/${id}`)).data_removed === true ? true : undefined));
    await signIn(page, stack, `/predictions/${id}`);
    await isAlive(page);
    await expect(page.getByText("Files removed")).toBeVisible();
    await expect(page.getByRole("main").getByRole("img", { name: /^Output/ })).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Timeline" })).toContainText(/remov/i);
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByText("Input removed")).toBeVisible();
    await expectAccessibleState(page);
    await page.getByRole("link", { name: "Tweak and run again" }).click();
    await expect(page).toHaveURL(/\/playground\/svc\/img-gen-b/);
    await expect(new Playground(page).run).toBeEnabled();
  } finally {
    await stop();
  }
});

function secondsIn(text: string | null): number {
  return Number(/\d+/.exec(text ?? "")?.[0]);
}
