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

/** The server actions that the page hands in. */
export interface SecondFactorActions {
  beginTotp: (proof?: Proof) => Acting<TotpSetup>;
  confirmTotp: (code: string) => Acting<SecondFactorAdded>;
  removeTotp: (proof?: Proof) => Acting<Deleted>;
  renewCodes: (proof?: Proof) => Acting<RecoveryCodes>;
  beginPasskey: (proof?: Proof) => Acting<PasskeyOptions>;
  createPasskey: (body: PasskeyCreate) => Acting<SecondFactorAdded>;
  renamePasskey: (id: string, name: string) => Acting<Passkey>;
  removePasskey: (id: string, proof?: Proof) => Acting<Deleted>;
}
