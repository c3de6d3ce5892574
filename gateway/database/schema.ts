export * from "./tables/accounts.ts";
export * from "./tables/installation.ts";
export * from "./tables/limits.ts";
export * from "./tables/members.ts";
export * from "./tables/predictions.ts";
export * from "./tables/second-factors.ts";
export * from "./tables/usage.ts";
export * from "./tables/webhooks.ts";
