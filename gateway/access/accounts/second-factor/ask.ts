import type { BaseContext } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { secondFactorWaysOf } from "./read.ts";
import { issueTicket } from "./tickets.ts";

/**
 * Call after a correct password: throws `second_factor_required`, with a ticket to continue, if the person
 * has a second factor.
 */
export async function askSecondFactor({ database }: BaseContext, userId: string): Promise<void> {
  const { queries } = database;
  const ways = await secondFactorWaysOf(queries, userId);
  if (ways.length === 0) return;
  const { token, expiresAt } = await issueTicket(queries, {
    purpose: "second_factor",
    userId,
    challenge: null,
  });
  throw new ApiError("second_factor_required", "The password is correct. Now enter your second factor.", {
    secondFactor: { ticket: token, expires_at: expiresAt.toISOString(), ways },
  });
}

/**
 * Throws `second_factor_required`, without a ticket, if the person has a second factor: a password alone does
 * not prove their identity.
 */
export async function refuseWithoutSecondFactor({ database }: BaseContext, userId: string): Promise<void> {
  if ((await secondFactorWaysOf(database.queries, userId)).length === 0) return;
  throw new ApiError(
    "second_factor_required",
    "You have a second factor. Sign in with it first, then open this link again.",
  );
}
