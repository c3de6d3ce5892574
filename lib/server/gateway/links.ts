import "server-only";
import type { EmailChanged, EmailChangePreview } from "#contract/accounts/email-change.ts";
import type { InvitationAccept, InvitationPreview } from "#contract/accounts/invitations.ts";
import type {
  PasswordForgottenTaken,
  PasswordResetAccept,
  PasswordResetDone,
  PasswordResetPreview,
} from "#contract/accounts/passwords.ts";
import type { Session } from "#contract/accounts/sessions.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { sendGateway } from "./send.ts";
import { forwarded } from "./sign-in.ts";
import { currentVisitor } from "./visitor.ts";

/** Calls without a session: the token of a link, always in the body, authorises them. */
async function sendWithLink<Data>(
  path: string,
  body: unknown,
  bearer: string | null = null,
): Promise<GatewayResult<Data>> {
  const headers = forwarded(await currentVisitor());
  return sendGateway(path, { method: "POST", body, bearer, headers });
}

export function previewInvitation(token: string): Promise<GatewayResult<InvitationPreview>> {
  return sendWithLink("/account/invitations/lookup", { token });
}

/** With `bearer` its user joins; otherwise a new person, whose name and password are in the body. */
export function acceptInvitation(
  body: InvitationAccept,
  bearer: string | null,
): Promise<GatewayResult<Session>> {
  return sendWithLink("/account/invitations/accept", body, bearer);
}

export function forgetPassword(email: string): Promise<GatewayResult<PasswordForgottenTaken>> {
  return sendWithLink("/account/password/forgotten", { email });
}

export function previewEmailChange(token: string): Promise<GatewayResult<EmailChangePreview>> {
  return sendWithLink("/account/email/lookup", { token });
}

export function confirmEmailChange(token: string): Promise<GatewayResult<EmailChanged>> {
  return sendWithLink("/account/email/confirm", { token });
}

export function previewReset(token: string): Promise<GatewayResult<PasswordResetPreview>> {
  return sendWithLink("/account/password/reset/lookup", { token });
}

export function resetPassword(body: PasswordResetAccept): Promise<GatewayResult<PasswordResetDone>> {
  return sendWithLink("/account/password/reset", body);
}
