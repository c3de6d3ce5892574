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

/** The server actions that the page passes in. */
export interface SecondFactorActions {
  beginTotp: (proof?: Proof) => ActionResult<TotpSetup>;
  confirmTotp: (code: string) => ActionResult<SecondFactorAdded>;
  removeTotp: (proof?: Proof) => ActionResult<Deleted>;
  renewCodes: (proof?: Proof) => ActionResult<RecoveryCodes>;
  beginPasskey: (proof?: Proof) => ActionResult<PasskeyOptions>;
  createPasskey: (body: PasskeyCreate) => ActionResult<SecondFactorAdded>;
  renamePasskey: (id: string, name: string) => ActionResult<Passkey>;
  removePasskey: (id: string, proof?: Proof) => ActionResult<Deleted>;
}
