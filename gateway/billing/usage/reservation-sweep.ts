import { rowSweep } from "#gateway/platform/database/row-sweep.ts";

/**
 * Removes reservations of dead processes. Expired ones no longer count; they are kept for a while in case a
 * process was only cut off from the database.
 */
export const budgetReservationSweep = rowSweep({
  kind: "budget_reservations",
  table: "budget_reservations",
  dueAt: "expires_at",
  afterSeconds: 600,
});
