import type { Account } from "#contract/accounts/account.ts";
import type { AttestationList } from "#contract/attestations.ts";

/** What the attestation dialogs show: who is signed in, and the current statements. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}
