"use server";

import type { PasswordReset } from "#contract/accounts/credentials.ts";
import type { ApiKeyCreate, ApiKeyWithSecret } from "#contract/accounts/keys.ts";
import type {
  PasskeyCreate,
  PasskeyOptions,
  Proof,
  RecoveryCodes,
  SecondFactorAdded,
  TotpSetup,
} from "#contract/accounts/second-factor.ts";
import type { InvitationCreate, InvitationWithLink } from "#contract/accounts/team.ts";
import type { Consent, ConsentCreate } from "#contract/connections.ts";
import type { GuardCreate, GuardWithSecret } from "#contract/guards.ts";
import type { Share, ShareCreate } from "#contract/shares.ts";
import type { CallbackSecret, EndpointCreate, EndpointWithSecret } from "#contract/webhook.ts";
import { requestRoute } from "../server/gateway/request.ts";
import type { ActionResult } from "./result.ts";

// Actions whose answer contains a secret, which is usually shown only once: the caller shows it and does not
// store it. Each action names its route, so that `act` never calls such a route.

export async function addKey(body: ApiKeyCreate): ActionResult<ApiKeyWithSecret> {
  return { answer: requestRoute("POST /keys", { body }) };
}

export async function replaceKey(id: string, graceSeconds: number): ActionResult<ApiKeyWithSecret> {
  return {
    answer: requestRoute("POST /keys/{id}/rotate", { params: { id }, body: { grace_seconds: graceSeconds } }),
  };
}

export async function addEndpoint(body: EndpointCreate): ActionResult<EndpointWithSecret> {
  return { answer: requestRoute("POST /webhooks/endpoints", { body }) };
}

export async function rotateSecret(id: string, overlapSeconds: number): ActionResult<EndpointWithSecret> {
  return {
    answer: requestRoute("POST /webhooks/endpoints/{id}/rotate_secret", {
      params: { id },
      body: { overlap_seconds: overlapSeconds },
    }),
  };
}

/** `of`: the guard of the account, or that of the installation. */
export async function addGuard(
  of: "account" | "installation",
  body: GuardCreate,
): ActionResult<GuardWithSecret> {
  const request =
    of === "account"
      ? requestRoute("POST /account/guard", { body })
      : requestRoute("POST /operator/guard", { body });
  return { answer: request };
}

export async function rotateGuardSecret(
  of: "account" | "installation",
  overlapSeconds: number,
): ActionResult<GuardWithSecret> {
  const body = { overlap_seconds: overlapSeconds };
  const request =
    of === "account"
      ? requestRoute("POST /account/guard/rotate_secret", { body })
      : requestRoute("POST /operator/guard/rotate_secret", { body });
  return { answer: request };
}

export async function rotateCallbackSecret(overlapSeconds: number): ActionResult<CallbackSecret> {
  return {
    answer: requestRoute("POST /webhooks/default/secret/rotate", {
      body: { overlap_seconds: overlapSeconds },
    }),
  };
}

export async function invite(body: InvitationCreate): ActionResult<InvitationWithLink> {
  return { answer: requestRoute("POST /account/invitations", { body }) };
}

/** The old link stops working. */
export async function renewLink(id: string): ActionResult<InvitationWithLink> {
  return { answer: requestRoute("POST /account/invitations/{id}/renew", { params: { id } }) };
}

export async function makeResetLink(userId: string): ActionResult<PasswordReset> {
  return { answer: requestRoute("POST /account/members/{user_id}/reset", { params: { user_id: userId } }) };
}

export async function makeShareLink(outputId: string, body: ShareCreate): ActionResult<Share> {
  return { answer: requestRoute("POST /outputs/{id}/shares", { params: { id: outputId }, body }) };
}

/** The address in this answer contains the client's code. The browser goes there at once. */
export async function allowConnection(body: ConsentCreate): ActionResult<Consent> {
  return { answer: requestRoute("POST /authorization/consents", { body }) };
}

export async function beginTotp(proof?: Proof): ActionResult<TotpSetup> {
  return { answer: requestRoute("POST /account/second_factor/totp", { body: { proof } }) };
}

/** The first second factor also returns recovery codes. */
export async function confirmTotp(code: string): ActionResult<SecondFactorAdded> {
  return { answer: requestRoute("POST /account/second_factor/totp/confirm", { body: { code } }) };
}

export async function renewCodes(proof?: Proof): ActionResult<RecoveryCodes> {
  return { answer: requestRoute("POST /account/second_factor/recovery_codes", { body: { proof } }) };
}

/** The ticket in this answer allows one new passkey. */
export async function beginPasskey(proof?: Proof): ActionResult<PasskeyOptions> {
  return { answer: requestRoute("POST /account/passkeys/options", { body: { proof } }) };
}

export async function createPasskey(body: PasskeyCreate): ActionResult<SecondFactorAdded> {
  return { answer: requestRoute("POST /account/passkeys", { body }) };
}
