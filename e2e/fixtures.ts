import { test as base, expect } from "@playwright/test";
import { type Receiver, startReceiver } from "../gateway/testing/receiver.ts";
import { GatewayApi } from "./gateway-api.ts";
import { signIn } from "./pages/sign-in.ts";
import { type SeedData, seed } from "./seed-data.ts";
import { runningStack, type Stack } from "./stack.ts";

type Cookies = { cookies: never[]; origins: never[] };

/** For `test.use`: a signed-out browser. */
export const signedOut: { storageState: Cookies } = { storageState: { cookies: [], origins: [] } };

interface WorkerFixtures {
  stack: Stack;
  /** The browser state of the signed-in owner. */
  ownerState: Awaited<ReturnType<import("@playwright/test").BrowserContext["storageState"]>>;
  /** Calls the gateway as the owner, with a separate session. */
  ownerApi: GatewayApi;
  /** An account key of the owner with all scopes. */
  gatewayKey: string;
  /** The data on the owner's pages. */
  seedData: SeedData;
}

interface TestFixtures {
  /** An HTTPS receiver that the gateway trusts and may deliver to. */
  receiver: Receiver;
}

/** Tests are signed in as the owner, unless the file contains `test.use(signedOut)`. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  stack: [async ({}, use, { parallelIndex }) => use(runningStack(parallelIndex)), { scope: "worker" }],
  baseURL: ({ stack }, use) => use(stack.consoleUrl),
  ownerState: [
    async ({ browser, stack }, use) => {
      const context = await browser.newContext();
      await signIn(await context.newPage(), stack);
      const state = await context.storageState();
      await context.close();
      await use(state);
    },
    { scope: "worker" },
  ],
  storageState: ({ ownerState }, use) => use(ownerState),
  ownerApi: [async ({ stack }, use) => use(await GatewayApi.signIn(stack)), { scope: "worker" }],
  gatewayKey: [
    async ({ ownerApi }, use) => {
      const key = await ownerApi.post("/keys", { name: "browser tests" });
      await use(String(key.secret));
    },
    { scope: "worker" },
  ],
  seedData: [
    async ({ ownerApi, stack }, use) => use(await seed(ownerApi, stack)),
    { scope: "worker", timeout: 90_000 },
  ],
  receiver: async ({ stack }, use) => {
    const receiver = await startReceiver(stack.certificate, stack.receiverPorts[0]);
    await use(receiver);
    await receiver.close();
  },
});

export { expect };
