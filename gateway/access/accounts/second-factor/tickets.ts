import type { AccessContext } from "#gateway/access/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, eq, gt } from "#gateway/platform/database/drizzle.ts";
import { rowSweep } from "#gateway/platform/database/row-sweep.ts";
import { tickets } from "#gateway/platform/database/schema.ts";
import { credentialHash, newLinkSecret } from "../keys/format.ts";
import { secondFactorWaysOf } from "./read.ts";

/** Enough time to find the phone or touch a passkey. */
const lifetimeMs = 10 * 60_000;

type TicketRow = typeof tickets.$inferSelect;

export interface Ticket {
  token: string;
  expiresAt: Date;
}

/** Creates a ticket for a sign-in or a passkey registration, which is later completed with it. */
export async function issueTicket(
  queries: Queries,
  about: Pick<TicketRow, "purpose" | "userId" | "challenge">,
): Promise<Ticket> {
  const token = newLinkSecret();
  const expiresAt = new Date(clock.now() + lifetimeMs);
  await queries.insert(tickets).values({ ...about, tokenHash: credentialHash(token), expiresAt });
  return { token, expiresAt };
}

/** Uses up a ticket; a failed transaction leaves it unchanged. Throws `sign_in_expired`. */
export async function takeTicket(
  queries: Queries,
  token: string,
  purpose: TicketRow["purpose"],
): Promise<TicketRow> {
  const [row] = await queries.delete(tickets).where(openTicket(token, purpose)).returning();
  if (!row) throw expired();
  return row;
}

/** Sets the challenge that the passkey of a sign-in must sign. Throws `sign_in_expired`. */
export async function challengeTicket(
  queries: Queries,
  token: string,
  challenge: string,
): Promise<TicketRow> {
  const [row] = await queries
    .update(tickets)
    .set({ challenge })
    .where(openTicket(token, "second_factor"))
    .returning();
  if (!row) throw expired();
  return row;
}

/** The user of a sign-in. Throws `sign_in_expired`. */
export async function userOfTicket(queries: Queries, token: string): Promise<string> {
  const [row] = await queries
    .select({ userId: tickets.userId })
    .from(tickets)
    .where(openTicket(token, "second_factor"));
  if (!row?.userId) throw expired();
  return row.userId;
}

function openTicket(token: string, purpose: TicketRow["purpose"]) {
  return and(
    eq(tickets.tokenHash, credentialHash(token)),
    eq(tickets.purpose, purpose),
    gt(tickets.expiresAt, clock.date()),
  );
}

function expired(): ApiError {
  return new ApiError("sign_in_expired", "This took too long or was already finished. Start again.");
}

export const ticketSweep = rowSweep({ kind: "tickets", table: "tickets", dueAt: "expires_at" });

/**
 * Call after a correct password: throws `second_factor_required`, with a ticket to continue, if the person
 * has a second factor.
 */
export async function askSecondFactor({ database }: AccessContext, userId: string): Promise<void> {
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
export async function refuseWithoutSecondFactor({ database }: AccessContext, userId: string): Promise<void> {
  if ((await secondFactorWaysOf(database.queries, userId)).length === 0) return;
  throw new ApiError(
    "second_factor_required",
    "You have a second factor. Sign in with it first, then open this link again.",
  );
}
