import { expectTypeOf, it } from "vitest";
import type { WebhookContext } from "./webhook-context.ts";

it("the code of webhooks cannot run models, read stored files or spend money", () => {
  expectTypeOf<keyof WebhookContext & ("providers" | "store" | "money" | "budgets" | "meter")>().toBeNever();
});
