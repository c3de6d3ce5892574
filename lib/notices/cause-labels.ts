import type { Cause, HookTemplate } from "#contract/notice-constants.ts";

interface CauseLabel {
  label: string;
  /** When a notice is sent for the cause, in a few words. */
  hint: string;
}

/** The label of each cause. */
export const causeLabels: Record<Cause, CauseLabel> = {
  "endpoint.failing": { label: "An endpoint is failing", hint: "Several deliveries in a row failed" },
  "endpoint.disabled": { label: "An endpoint was disabled", hint: "Events wait until it is enabled" },
  "endpoint.recovered": { label: "An endpoint works again", hint: "After it was reported as failing" },
  "delivery.exhausted": { label: "A delivery has failed for good", hint: "All of its attempts failed" },
  "callbacks.requeued": { label: "Callbacks are sent again", hint: "After an earlier release canceled them" },
  "copy.exhausted": {
    label: "A copy has failed for good",
    hint: "All attempts to copy a file to a destination failed",
  },
  "budget.threshold": { label: "A budget is used up to a threshold", hint: "Also your own budgets" },
  "task.refused": {
    label: "An agent's task reached its cap",
    hint: "A run of a connection was refused; you can raise the cap of that task",
  },
  "outputs.expiring": {
    label: "Outputs are about to be removed",
    hint: "An hour before; off unless you turn it on",
  },
  "share.reported": { label: "A shared file was reported", hint: "By a visitor of the shared page" },
  "attestation.withdrawn": {
    label: "An attestation was withdrawn",
    hint: "Requests that need it are rejected",
  },
  "key.expiring": { label: "A key expires soon", hint: "A week and a day before" },
  "batch.finished": { label: "A batch has ended", hint: "Your own batches, and those of service keys" },
  "member.joined": { label: "Somebody joined the account", hint: "By an invitation or single sign-on" },
  "guard.failing": {
    label: "The guard of the account fails",
    hint: "Its program is away, or its answers are not valid",
  },
  "guard.recovered": { label: "The guard of the account works again", hint: "After it failed" },
  "sign_in.new_place": {
    label: "A sign-in from a new place",
    hint: "Somebody signed in as you from an unknown address",
  },
  "provider.key_refused": { label: "A provider refuses its key", hint: "The key may be revoked or wrong" },
  "provider.bill_unpaid": {
    label: "A provider reports a billing problem",
    hint: "An unpaid bill or no credit",
  },
  "provider.unhealthy": {
    label: "A model at a provider is failing",
    hint: "Other providers are tried first",
  },
  "usage.not_priced": {
    label: "A model without a price is used",
    hint: "Once a day for each model; not while no price is set at all",
  },
  "file.reported": {
    label: "A shared file of an account was reported",
    hint: "By a visitor of the shared page",
  },
  "certificate.expiring": { label: "A certificate expires soon", hint: "Two weeks before" },
  "signing_certificate.expiring": {
    label: "The certificate for signing outputs expires soon",
    hint: "A month before",
  },
  "retention.lagging": {
    label: "Expired data is removed too late",
    hint: "The removal of expired data has fallen behind",
  },
  "audit_stream.behind": {
    label: "The audit log does not leave",
    hint: "Its receiver is away, or refuses the events",
  },
  "database.connections": {
    label: "The database has few connections left",
    hint: "Nine of ten connections are in use",
  },
  "database.disk": {
    label: "The disk of the database is almost full",
    hint: "If the gateway can measure the disk",
  },
  "installation_guard.failing": {
    label: "The guard of the installation fails",
    hint: "Its program is away, or its answers are not valid",
  },
  "installation_guard.recovered": {
    label: "The guard of the installation works again",
    hint: "After it failed",
  },
  "load.high": {
    label: "A process has no processor time left",
    hint: "Names the account that uses most of it",
  },
  "store.full": { label: "The object store is full", hint: "Files cannot be stored" },
};

/** The label of a cause; an unknown cause of a newer gateway is shown by its name. */
export function causeLabel(cause: string): string {
  return Object.hasOwn(causeLabels, cause) ? causeLabels[cause as Cause].label : cause;
}

export const templateLabels: Record<HookTemplate, string> = {
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  json: "Plain JSON",
};
