import type { Permission } from "#contract/permissions.ts";

/** Every permission in plain words, for the table of roles. */
export const permissionLabels: Record<Permission, string> = {
  "operations:run": "Run operations and add voices",
  "predictions:cancel": "Cancel predictions",
  "uploads:write": "Upload and delete files",
  "events:listen": "Forward events to a program on their machine",
  "keys:own": "Have personal keys",
  "predictions:read": "See predictions and their media",
  "uploads:read": "See uploads",
  "endpoints:read": "See endpoints",
  "deliveries:read": "See deliveries",
  "requests:read": "See the request log",
  "attestations:read": "See who has attested what",
  "members:read": "See the members' names",
  "deliveries:retry": "Retry deliveries",
  "endpoints:test": "Send a test to an endpoint",
  "endpoints:manage": "Add, change and delete endpoints",
  "keys:manage": "Manage service keys, all keys, and budgets",
  "attestations:make": "Attest, and withdraw it",
  "attestations:answer": "Answer for service keys by their attestations",
  "members:manage": "Invite, change and remove members up to their own role",
  "audit:read": "See the audit log",
  "usage:read": "See the usage of everybody",
  "usage:own": "See their own usage",
  "account:manage": "Name and delete the account, set how people sign in, appoint owners",
};
