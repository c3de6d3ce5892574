import { lt, sql } from "drizzle-orm";
import type { Sweep } from "#gateway/core/sweeps.ts";
import { budgetReservations } from "#gateway/database/schema.ts";

/**
 * Removes reservations of dead processes. Expired ones no longer count; they are kept a while in case a process was
 * only cut off from the database.
 */
export const budgetReservationSweep: Sweep = {
  name: "budget reservations",
  run: ({ database }) =>
    database.queries
      .delete(budgetReservations)
      .where(lt(budgetReservations.expiresAt, sql`now() - interval '10 minutes'`)),
};
