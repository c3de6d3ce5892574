import type { Account } from "#contract/accounts/account.ts";
import type { AttestationList } from "#contract/attestations.ts";

/** Data of the attestation dialogs: the signed-in person, and the current statements. */
export interface AttestationDesk {
  account: Account;
  attestations: AttestationList;
}
