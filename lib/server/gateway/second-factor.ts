import "server-only";
import type { Deleted } from "#contract/list.ts";
import type {
  Passkey,
  PasskeyCreate,
  PasskeyOptions,
  Proof,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
  TotpSetup,
} from "#contract/second-factor.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { requestRoute } from "./request.ts";

export function getSecondFactor(): Promise<GatewayResult<SecondFactor>> {
  return requestRoute("GET /account/second_factor");
}

/** Only this answer has the app's secret. */
export function beginTotp(proof?: Proof): Promise<GatewayResult<TotpSetup>> {
  return requestRoute("POST /account/second_factor/totp", { body: { proof } });
}

export function confirmTotp(code: string): Promise<GatewayResult<SecondFactorAdded>> {
  return requestRoute("POST /account/second_factor/totp/confirm", { body: { code } });
}

export function removeTotp(proof?: Proof): Promise<GatewayResult<Deleted>> {
  return requestRoute("POST /account/second_factor/totp/remove", { body: { proof } });
}

/** Only this answer has the codes. */
export function renewRecoveryCodes(proof?: Proof): Promise<GatewayResult<RecoveryCodes>> {
  return requestRoute("POST /account/second_factor/recovery_codes", { body: { proof } });
}

export function beginPasskey(proof?: Proof): Promise<GatewayResult<PasskeyOptions>> {
  return requestRoute("POST /account/passkeys/options", { body: { proof } });
}

export function createPasskey(body: PasskeyCreate): Promise<GatewayResult<SecondFactorAdded>> {
  return requestRoute("POST /account/passkeys", { body });
}

export function renamePasskey(id: string, name: string): Promise<GatewayResult<Passkey>> {
  return requestRoute("PATCH /account/passkeys/{id}", { params: { id }, body: { name } });
}

export function removePasskey(id: string, proof?: Proof): Promise<GatewayResult<Deleted>> {
  return requestRoute("POST /account/passkeys/{id}/remove", { params: { id }, body: { proof } });
}
