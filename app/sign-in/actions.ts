"use server";

import { redirect } from "next/navigation";
import type { SetupCreate } from "#contract/accounts/account.ts";
import type {
  EmailChanged,
  EmailChangePreview,
  PasswordForgottenTaken,
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/accounts/credentials.ts";
import type { InvitationAccept, InvitationPreview } from "#contract/accounts/team.ts";
import { type ActionResult, type GatewayResult, localFailure } from "@/lib/gateway/result";
import { inAccount } from "@/lib/paths";
import {
  acceptInvitation,
  confirmEmailChange,
  currentVisitor,
  endGatewaySession,
  forgetPassword,
  previewEmailChange,
  previewInvitation,
  previewReset,
  resetPassword,
  sessionTokenFrom,
  setUpGateway,
} from "@/lib/server/gateway/sign-in";
import { leaveForProvider } from "@/lib/server/provider-sign-in";
import { currentSession, endSession, sessionToken, startSession } from "@/lib/server/session";
import { isLanguage } from "@/messages/languages";

// The actions of the pages that need no session, and the end of a session. Anybody can call an action with
// anything, so what is called a body is made an object first.

/** Creates the owner and signs this browser in. The one-time token authorises this. */
export async function setUp(body: SetupCreate): Promise<GatewayResult<null>> {
  const { setup_token, name, email, password, language } = Object(body) as SetupCreate;
  const owner = {
    setup_token: String(setup_token),
    name: String(name),
    email: String(email),
    password: String(password),
    ...(language && isLanguage(language) && { language }),
  };
  const result = await setUpGateway(owner, await currentVisitor());
  if (!result.ok) return result;
  await startSession(sessionTokenFrom(result.data));
  return { ok: true, data: null };
}

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
  const { token, name, password, language } = Object(body) as InvitationAccept;
  const person = {
    name: String(name),
    password: String(password),
    ...(language && isLanguage(language) && { language }),
  };
  return join({ token: String(token), ...person }, false);
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

export async function askForReset(email: string): ActionResult<PasswordForgottenTaken> {
  return { answer: forgetPassword(String(email)) };
}

export async function lookAtReset(token: string): ActionResult<PasswordResetPreview> {
  return { answer: previewReset(String(token)) };
}

export async function setPassword(body: PasswordResetAccept): ActionResult<PasswordResetDone> {
  const { token, password } = Object(body) as PasswordResetAccept;
  return { answer: resetPassword({ token: String(token), password: String(password) }) };
}

export async function lookAtEmailChange(token: string): ActionResult<EmailChangePreview> {
  return { answer: previewEmailChange(String(token)) };
}

export async function confirmEmail(token: string): ActionResult<EmailChanged> {
  return { answer: confirmEmailChange(String(token)) };
}

/** Ends the session at the gateway and in this browser. */
export async function signOut(): Promise<void> {
  const token = await sessionToken();
  if (token) await endGatewaySession(token);
  await endSession();
  redirect("/sign-in");
}
