import type { Account, AttestationList } from "#contract/account.ts";

/** What the attestation dialogs show: who is signed in, and the current statements. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}
