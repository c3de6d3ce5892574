"use server";

import type {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  Proof,
  RecoveryCodes,
  SecondFactorAdded,
  TotpSetup,
} from "#contract/accounts/second-factor.ts";
import type { Deleted } from "#contract/list.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/**
 * Only this answer contains the secret, and only the next ones the recovery codes: their dialogs show them
 * and store nothing.
 */
export async function beginTotp(proof?: Proof): ActionResult<TotpSetup> {
  return { answer: requestRoute("POST /account/second_factor/totp", { body: { proof } }) };
}

export async function confirmTotp(code: string): ActionResult<SecondFactorAdded> {
  return { answer: requestRoute("POST /account/second_factor/totp/confirm", { body: { code } }) };
}

export async function removeTotp(proof?: Proof): ActionResult<Deleted> {
  return { answer: requestRoute("POST /account/second_factor/totp/remove", { body: { proof } }) };
}

export async function renewCodes(proof?: Proof): ActionResult<RecoveryCodes> {
  return { answer: requestRoute("POST /account/second_factor/recovery_codes", { body: { proof } }) };
}

export async function beginPasskey(proof?: Proof): ActionResult<PasskeyOptions> {
  return { answer: requestRoute("POST /account/passkeys/options", { body: { proof } }) };
}

export async function createPasskey(body: PasskeyCreate): ActionResult<SecondFactorAdded> {
  return { answer: requestRoute("POST /account/passkeys", { body }) };
}

export async function renamePasskey(id: string, name: string): ActionResult<Passkey> {
  return { answer: requestRoute("PATCH /account/passkeys/{id}", { params: { id }, body: { name } }) };
}

export async function removePasskey(id: string, proof?: Proof): ActionResult<Deleted> {
  return { answer: requestRoute("POST /account/passkeys/{id}/remove", { params: { id }, body: { proof } }) };
}
