"use server";

import type { Deleted } from "#contract/list.ts";
import type {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  Proof,
  RecoveryCodes,
  SecondFactorAdded,
  TotpSetup,
} from "#contract/second-factor.ts";
import type { Acting } from "@/lib/gateway/result";
import * as gateway from "@/lib/server/gateway/second-factor";

/** This answer alone has the secret, the next ones the recovery codes: their dialogs show them and store nothing. */
export async function beginTotp(proof?: Proof): Acting<TotpSetup> {
  return { answer: gateway.beginTotp(proof) };
}

export async function confirmTotp(code: string): Acting<SecondFactorAdded> {
  return { answer: gateway.confirmTotp(code) };
}

export async function removeTotp(proof?: Proof): Acting<Deleted> {
  return { answer: gateway.removeTotp(proof) };
}

export async function renewCodes(proof?: Proof): Acting<RecoveryCodes> {
  return { answer: gateway.renewRecoveryCodes(proof) };
}

export async function beginPasskey(proof?: Proof): Acting<PasskeyOptions> {
  return { answer: gateway.beginPasskey(proof) };
}

export async function createPasskey(body: PasskeyCreate): Acting<SecondFactorAdded> {
  return { answer: gateway.createPasskey(body) };
}

export async function renamePasskey(id: string, name: string): Acting<Passkey> {
  return { answer: gateway.renamePasskey(id, name) };
}

export async function removePasskey(id: string, proof?: Proof): Acting<Deleted> {
  return { answer: gateway.removePasskey(id, proof) };
}
