/** The description of one resource, from which the contract's tables are made. */
interface Resource {
  /** The prefix of its ids; see `ids.ts`. */
  id?: string;
  /** The codes of the 404s that are about it; see `error.ts`. */
  notFound?: readonly string[];
  /** Its actions in the audit log, and their place in the filter; see `audit.ts`. */
  audit?: { place?: number; actions: readonly string[] };
  /** Its place in search results. Without one it is not searched; see `search-constants.ts`. */
  found?: number;
}

/**
 * Every kind of thing, described once: the tables of ids, 404s, audit actions and search are made from this.
 * It is not for the browser, which takes its types and what `lib/resources.ts` says of them in words. Who may
 * do what is a table of its own, in `accounts/permissions.ts`, because both need it and people read it as a
 * whole.
 */
export const resources = {
  model: {
    notFound: ["model_not_found", "revision_not_found"],
    audit: { place: 30, actions: ["model.created", "model.updated", "model.deleted"] },
    found: 10,
  },
  response: { notFound: ["response_not_found", "previous_response_not_found"] },
  prediction: {
    id: "pred",
    notFound: ["prediction_not_found"],
    audit: { place: 23, actions: ["prediction.canceled", "prediction.deleted"] },
    found: 12,
  },
  run: { notFound: ["run_not_found"] },
  request: {
    id: "req",
    notFound: ["request_not_found"],
  },
  alias: {
    id: "als",
    notFound: ["alias_not_found"],
    audit: { place: 33, actions: ["alias.created", "alias.updated", "alias.deleted"] },
    found: 7,
  },
  output: {
    id: "out",
    notFound: ["output_not_found"],
    audit: { place: 36, actions: ["output.kept", "output.updated", "output.removed"] },
  },
  share: {
    id: "shr",
    notFound: ["share_not_found"],
    audit: { place: 25, actions: ["share.created", "share.revoked"] },
  },
  note: {
    id: "nte",
    notFound: ["note_not_found"],
    audit: { place: 26, actions: ["note.created", "note.updated", "note.deleted"] },
  },
  conversation: {
    id: "conv",
    notFound: ["conversation_not_found"],
    audit: {
      place: 35,
      actions: ["conversation.created", "conversation.updated", "conversation.deleted"],
    },
    found: 3,
  },
  preset: {
    id: "pst",
    notFound: ["preset_not_found", "preset_version_not_found"],
    audit: {
      place: 34,
      actions: ["preset.created", "preset.updated", "preset.restored", "preset.deleted"],
    },
    found: 2,
  },
  upload: {
    id: "upl",
    notFound: ["upload_not_found"],
    audit: { place: 24, actions: ["upload.deleted"] },
    found: 9,
  },
  endpoint: {
    id: "we",
    notFound: ["endpoint_not_found"],
    audit: {
      place: 16,
      actions: [
        "webhook_endpoint.created",
        "webhook_endpoint.updated",
        "webhook_endpoint.deleted",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.tested",
        "webhook_endpoint.auto_disabled",
        "webhook_endpoint.stopped",
      ],
    },
    found: 1,
  },
  preview: { notFound: ["preview_not_available"] },
  delivery: {
    id: "dlv",
    notFound: ["delivery_not_found"],
    audit: {
      place: 17,
      actions: [
        "webhook_callback.secret_rotated",
        "webhook_delivery.retried",
        "webhook_delivery.resent",
        "webhook_deliveries.retried",
      ],
    },
    found: 13,
  },
  destination: {
    id: "dst",
    notFound: ["destination_not_found"],
    audit: {
      place: 18,
      actions: ["destination.created", "destination.updated", "destination.deleted", "destination.tested"],
    },
    found: 8,
  },
  copy: {
    id: "cpy",
    notFound: ["copy_not_found"],
    audit: { place: 19, actions: ["copy.requested", "copy.retried", "copies.retried"] },
  },
  resend: {
    id: "rsd",
    notFound: ["resend_not_found"],
    audit: { place: 22, actions: ["webhook_resend.started", "webhook_resend.stopped"] },
  },
  key: {
    id: "key",
    notFound: ["key_not_found"],
    audit: { place: 14, actions: ["key.created", "key.updated", "key.rotated", "key.revoked"] },
    found: 5,
  },
  connection: {
    notFound: ["connection_not_found"],
    audit: {
      place: 15,
      actions: ["connection.created", "connection.updated", "connection.revoked", "connection.ended"],
    },
  },
  account: {
    id: "acct",
    notFound: ["account_not_found"],
    audit: {
      place: 1,
      actions: [
        "account.created",
        "account.updated",
        "account.budgets_updated",
        "account.credit_added",
        "account.prepayment_ended",
        "account.deletion_scheduled",
        "account.deletion_canceled",
      ],
    },
  },
  task: {
    id: "task",
    notFound: ["task_not_found"],
    audit: { place: 14, actions: ["task.raised", "task.ended"] },
  },
  member: {
    notFound: ["member_not_found"],
    audit: { place: 4, actions: ["member.joined", "member.updated", "member.removed", "member.left"] },
    found: 6,
  },
  invitation: {
    id: "inv",
    notFound: ["invitation_not_found"],
    audit: { place: 5, actions: ["invitation.created", "invitation.renewed", "invitation.revoked"] },
  },
  session: {
    id: "ses",
    notFound: ["session_not_found"],
    audit: { place: 2, actions: ["session.created", "session.ended"] },
  },
  identity: {
    id: "idn",
    notFound: ["identity_not_found", "provider_not_configured"],
    audit: { place: 3, actions: ["identity.linked", "identity.unlinked"] },
  },
  provider: {
    id: "prov",
    notFound: ["provider_not_found"],
    audit: { place: 27, actions: ["provider.created", "provider.updated", "provider.deleted"] },
    found: 11,
  },
  change: {
    notFound: ["change_not_found"],
    audit: { place: 29, actions: ["configuration.imported", "configuration.import_undone"] },
  },
  passwordReset: {
    id: "rst",
    notFound: ["reset_not_found"],
    audit: { place: 7, actions: ["password.changed", "password.reset_link_created", "password.reset"] },
  },
  passkey: {
    id: "pky",
    notFound: ["passkey_not_found"],
    audit: {
      place: 8,
      actions: [
        "passkey.created",
        "passkey.updated",
        "passkey.removed",
        "totp.created",
        "totp.removed",
        "recovery_codes.created",
        "recovery_code.used",
        "second_factor.cleared",
      ],
    },
  },
  batch: {
    id: "batch",
    notFound: ["batch_not_found"],
    audit: {
      place: 37,
      actions: [
        "batch.created",
        "batch.paused",
        "batch.resumed",
        "batch.stopped",
        "batch.retried",
        "batch.picked",
        "batch.output_deleted",
      ],
    },
    found: 4,
  },
  attestation: {
    id: "atst",
    notFound: ["attestation_not_found"],
    audit: { place: 13, actions: ["attestation.created", "attestation.withdrawn"] },
  },
  emailChange: {
    id: "emc",
    notFound: ["email_change_not_found"],
    audit: { place: 6, actions: ["email.change_requested", "email.changed"] },
  },
  notice: {
    id: "ntc",
    notFound: ["notice_not_found"],
  },
  noticeHook: {
    id: "nhk",
    notFound: ["notice_hook_not_found"],
    audit: { place: 20, actions: ["notice_hook.created", "notice_hook.updated", "notice_hook.deleted"] },
  },
  incident: {
    id: "inc",
    notFound: ["incident_not_found"],
    audit: {
      place: 21,
      actions: ["incident.created", "incident.updated", "incident.deleted", "incident_update.created"],
    },
  },
  event: {
    id: "evt",
  },
  audit: {
    id: "aud",
  },
  receiptKey: { audit: { place: 37, actions: ["receipt_key.rotated"] } },
  route: { id: "rte", audit: { place: 28, actions: ["routes.updated"] } },
  price: { id: "price", audit: { place: 31, actions: ["price.created", "prices.imported"] } },
  markup: { id: "mkp", audit: { place: 32, actions: ["markup.created"] } },
  user: { id: "usr" },
  generation: { id: "gen" },
  attempt: { id: "att" },
  retryRun: { id: "bulk" },
  cause: { id: "cse" },
  noticeMessage: { id: "ntm" },
  credit: { id: "crd" },
  incidentUpdate: { id: "inu" },
} as const satisfies Record<string, Resource>;

type Resources = typeof resources;
export type ResourceName = keyof Resources;

type Part<Name extends keyof Resource> = {
  [Key in ResourceName]: Resources[Key] extends Record<Name, infer Value> ? Value : never;
};
export type IdKind = {
  [Key in ResourceName]: Resources[Key] extends { id: string } ? Key : never;
}[ResourceName];
export type IdPrefix<Kind extends IdKind> = Part<"id">[Kind];
export type NotFoundCode = Part<"notFound">[ResourceName][number];
export type AuditAction = Part<"audit">[ResourceName]["actions"][number];
export type FoundKind = {
  [Key in ResourceName]: Resources[Key] extends { found: number } ? Key : never;
}[ResourceName];

/** The descriptions, one by one. */
export const described = Object.entries(resources) as [ResourceName, Resource][];

/** In the order of their places; those without one come last, in the order of the descriptions. */
export function inPlace<Item>(items: readonly Item[], placeOf: (item: Item) => number | undefined): Item[] {
  const place = (item: Item) => placeOf(item) ?? Number.MAX_SAFE_INTEGER;
  return [...items].sort((one, other) => place(one) - place(other));
}
