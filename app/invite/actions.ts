"use server";

import type { InvitationAccept, InvitationPreview } from "#contract/accounts/team.ts";
import { inAccount } from "@/lib/account-path";
import { type ActionResult, type GatewayResult, localFailure } from "@/lib/gateway/result";
import {
  acceptInvitation,
  endGatewaySession,
  previewInvitation,
  sessionTokenFrom,
} from "@/lib/server/gateway/sign-in";
import { leaveForProvider } from "@/lib/server/provider-sign-in";
import { currentSession, sessionToken, startSession } from "@/lib/server/session";

const anotherPerson = "Another person has signed in with this browser. Reload the page.";

export async function lookAtInvitation(token: string): ActionResult<InvitationPreview> {
  return { answer: previewInvitation(String(token)) };
}

/**
 * A new person joins and is signed in. `leaving` is the person whose session in this browser ends, to which
 * they agreed. Returns the address of the account's Home.
 */
export async function joinAsNew(
  body: InvitationAccept,
  leaving: string | null,
): Promise<GatewayResult<string>> {
  const session = await currentSession();
  if (session && session.person !== leaving)
    return { ok: false, error: { ...localFailure("signed_in_as_another", anotherPerson), status: 409 } };
  const { token, name, password } = body;
  return join({ token: String(token), name: String(name), password: String(password) }, false);
}

/** The signed-in person joins, if the invitation is addressed to them. */
export async function joinAsSignedIn(token: string): Promise<GatewayResult<string>> {
  return join({ token: String(token) }, true);
}

async function join(body: InvitationAccept, asSignedIn: boolean): Promise<GatewayResult<string>> {
  const before = await sessionToken();
  const joined = await acceptInvitation(body, asSignedIn ? (before?.bearer ?? null) : null);
  if (!joined.ok) return joined;
  await startSession(sessionTokenFrom(joined.data));
  // The new session has replaced the old one in this browser. End the old session at the gateway, because
  // nothing else would.
  if (before && before.bearer !== joined.data.token) await endGatewaySession(before);
  const { account, accounts } = joined.data;
  return { ok: true, data: inAccount(accounts.length > 1 ? account.id : null, "/") };
}

/** Joins through the identity provider. Returns the address at which to sign in. */
export async function joinWithProvider(token: string): Promise<GatewayResult<string>> {
  return leaveForProvider({ purpose: "sign_in", invitation_token: String(token) }, "/");
}
