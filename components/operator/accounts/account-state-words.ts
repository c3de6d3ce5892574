import type { OperatorAccount } from "#contract/operator/accounts.ts";

/** The words of each state, in the part `operatorAccounts`. */
export const accountStateWords = {
  active: "active",
  suspended: "suspendedState",
  deletion_scheduled: "willBeDeleted",
  being_deleted: "beingDeleted",
} as const satisfies Record<OperatorAccount["state"], string>;
