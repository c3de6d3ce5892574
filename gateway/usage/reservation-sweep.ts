import { lt, sql } from "drizzle-orm";
import type { Sweep } from "#gateway/core/sweeps.ts";
import { budgetReservations } from "#gateway/database/schema.ts";

/** Reservations of processes that died. They count no more, and are kept a while for one that was only cut off. */
export const budgetReservationSweep: Sweep = {
  name: "budget reservations",
  run: ({ database }) =>
    database.queries
      .delete(budgetReservations)
      .where(lt(budgetReservations.expiresAt, sql`now() - interval '10 minutes'`)),
};
