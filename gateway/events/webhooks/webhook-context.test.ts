import { expectTypeOf, it } from "vitest";
import type { WebhookContext } from "./webhook-context.ts";

it("webhooks cannot reach what runs a model, what holds files or what is spent", () => {
  expectTypeOf<keyof WebhookContext & ("providers" | "store" | "money" | "budgets" | "meter")>().toBeNever();
});
