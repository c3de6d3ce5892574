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
import { requestGateway } from "./request.ts";

const passkey = (id: string) => `/account/passkeys/${encodeURIComponent(id)}`;

export function getSecondFactor(): Promise<GatewayResult<SecondFactor>> {
  return requestGateway("/account/second_factor");
}

/** Only this answer has the app's secret. */
export function beginTotp(proof?: Proof): Promise<GatewayResult<TotpSetup>> {
  return requestGateway("/account/second_factor/totp", { method: "POST", body: { proof } });
}

export function confirmTotp(code: string): Promise<GatewayResult<SecondFactorAdded>> {
  return requestGateway("/account/second_factor/totp/confirm", { method: "POST", body: { code } });
}

export function removeTotp(proof?: Proof): Promise<GatewayResult<Deleted>> {
  return requestGateway("/account/second_factor/totp/remove", { method: "POST", body: { proof } });
}

/** Only this answer has the codes. */
export function renewRecoveryCodes(proof?: Proof): Promise<GatewayResult<RecoveryCodes>> {
  return requestGateway("/account/second_factor/recovery_codes", { method: "POST", body: { proof } });
}

export function beginPasskey(proof?: Proof): Promise<GatewayResult<PasskeyOptions>> {
  return requestGateway("/account/passkeys/options", { method: "POST", body: { proof } });
}

export function createPasskey(body: PasskeyCreate): Promise<GatewayResult<SecondFactorAdded>> {
  return requestGateway("/account/passkeys", { method: "POST", body });
}

export function renamePasskey(id: string, name: string): Promise<GatewayResult<Passkey>> {
  return requestGateway(passkey(id), { method: "PATCH", body: { name } });
}

export function removePasskey(id: string, proof?: Proof): Promise<GatewayResult<Deleted>> {
  return requestGateway(`${passkey(id)}/remove`, { method: "POST", body: { proof } });
}
