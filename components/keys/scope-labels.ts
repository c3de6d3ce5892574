import type { Scope } from "#contract/accounts/constants.ts";

/** The rights that each scope gives to a key. */
export const scopeLabels: Record<Scope, string> = {
  inference: "Run models",
  predictions: "Read and cancel predictions",
  uploads: "Create, read and delete uploads",
  webhooks: "Manage endpoints, read and retry deliveries",
  usage: "Read usage and the request log",
  keys: "Create and revoke keys, read the audit log",
  operator: "Configure this installation",
};
