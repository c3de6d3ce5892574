import { test as base, expect } from "@playwright/test";
import { type Receiver, startReceiver } from "../gateway/testing/receiver.ts";
import { runningStack, type Stack } from "./stack.ts";

type Cookies = { cookies: never[]; origins: never[] };

/** For `test.use`: a browser that nobody has signed in to. */
export const signedOut: { storageState: Cookies } = { storageState: { cookies: [], origins: [] } };

interface WorkerFixtures {
  stack: Stack;
  /** The browser state of the signed-in owner. */
  ownerState: Awaited<ReturnType<import("@playwright/test").BrowserContext["storageState"]>>;
  /** An account key of the owner with all scopes. */
  gatewayKey: string;
}

interface TestFixtures {
  /** An HTTPS receiver that the gateway trusts and may deliver to. */
  receiver: Receiver;
}

/** Tests of the house: signed in as the owner, unless the file says `test.use(signedOut)`. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  stack: [async ({}, use) => use(runningStack()), { scope: "worker" }],
  baseURL: ({ stack }, use) => use(stack.consoleUrl),
  ownerState: [
    async ({ browser, stack }, use) => {
      const context = await browser.newContext({ baseURL: stack.consoleUrl });
      const page = await context.newPage();
      await page.goto("/sign-in");
      await page.getByRole("textbox", { name: "E-mail" }).fill(stack.owner.email);
      await page.getByLabel(/^Password/).fill(stack.owner.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((url) => url.pathname !== "/sign-in");
      const state = await context.storageState();
      await context.close();
      await use(state);
    },
    { scope: "worker" },
  ],
  storageState: ({ ownerState }, use) => use(ownerState),
  gatewayKey: [
    async ({ stack }, use) => {
      const session = await post(`${stack.gatewayUrl}/account/sessions`, stack.owner);
      const key = await post(`${stack.gatewayUrl}/keys`, { name: "browser tests" }, String(session.token));
      await use(String(key.secret));
    },
    { scope: "worker" },
  ],
  receiver: async ({ stack }, use, info) => {
    const port = stack.receiverPorts[info.parallelIndex % stack.receiverPorts.length];
    const receiver = await startReceiver(stack.certificate, port);
    await use(receiver);
    await receiver.close();
  },
});

export { expect };

async function post(url: string, body: unknown, bearer?: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
