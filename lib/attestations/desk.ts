import type { Account } from "#contract/accounts/account.ts";
import type { AttestationList } from "#contract/attestations.ts";

/** Data of the attestation dialogs: who is signed in, and the current statements. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}
