import type { Account, AttestationList } from "#contract/account.ts";

/** What the attestation dialogs show: who is signed in, and what can be attested today. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}
