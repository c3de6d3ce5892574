import type { Role, Scope } from "./accounts/constants.ts";

/** The description of one kind of resource, from which the contract's tables are made. */
interface Resource {
  /** The prefix of the resource's ids; see `ids.ts`. */
  id?: string;
  /** The error codes of 404 answers about the resource; see `error.ts`. */
  notFound?: readonly string[];
  /** The error codes of 409 answers about the resource; see `error.ts`. */
  conflicts?: readonly string[];
  /** The actions of the resource in the audit log with their labels; see `audit.ts`. */
  audit?: Readonly<Record<string, string>>;
  /** The permissions for the resource; see `accounts/permissions.ts`. */
  permissions?: Readonly<Record<string, PermissionRow>>;
}

export interface PermissionRow {
  /** The roles that have the permission. */
  roles: readonly Role[];
  /**
   * The scopes that give the permission to an account key. If empty, only signed-in people can have the
   * permission.
   */
  scopes: readonly Scope[];
  /** What the permission allows, for the table of roles. */
  label: string;
}

const readers = ["owner", "admin", "member", "viewer"] as const;
const workers = ["owner", "admin", "member"] as const;
const managers = ["owner", "admin"] as const;

/**
 * Every kind of resource, described once: the tables of ids, errors, audit actions and permissions are
 * made from this object. The browser never loads it: console pages import only its types, and the pages
 * in `lib/resource-pages.ts`.
 */
export const resources = {
  operation: {
    permissions: {
      "operations:run": { roles: workers, scopes: ["inference"], label: "Run operations and add voices" },
    },
  },
  model: {
    notFound: ["model_not_found", "revision_not_found"],
    conflicts: ["model_exists"],
    audit: {
      "model.created": "Model added",
      "model.updated": "Model changed",
      "model.deleted": "Model deleted",
    },
  },
  content: {
    notFound: ["content_not_found"],
    conflicts: ["contents_search_running"],
    audit: {
      "content.opened": "Contents of a call opened",
      "contents.listed": "First words of calls listed",
      "contents.searched": "Contents of calls searched",
      "contents.exported": "Contents of calls exported",
      "content.updated": "Metadata of a stored completion changed",
      "content.deleted": "Contents of a call deleted",
    },
    permissions: {
      "contents:read": { roles: managers, scopes: ["contents"], label: "Read the contents of calls" },
      "contents:write": { roles: managers, scopes: ["contents"], label: "Delete the contents of calls" },
    },
  },
  contentKey: {
    id: "ctk",
  },
  response: {
    notFound: ["response_not_found", "previous_response_not_found"],
  },
  prediction: {
    id: "pred",
    notFound: ["prediction_not_found"],
    conflicts: ["prediction_already_terminal"],
    audit: {
      "prediction.canceled": "Prediction canceled",
      "prediction.deleted": "Prediction’s files deleted",
    },
    permissions: {
      /** The outputs include media files. */
      "predictions:read": {
        roles: readers,
        scopes: ["predictions"],
        label: "See predictions and their media",
      },
      "predictions:cancel": { roles: workers, scopes: ["predictions"], label: "Cancel predictions" },
      /**
       * Leave notes on predictions, and change and delete one's own notes. Everyone who can read a prediction
       * can read its notes.
       */
      "predictions:note": { roles: workers, scopes: ["predictions"], label: "Leave notes on predictions" },
    },
  },
  run: {
    notFound: ["run_not_found"],
  },
  request: {
    id: "req",
    notFound: ["request_not_found"],
    permissions: {
      "requests:read": { roles: readers, scopes: ["usage"], label: "See the request log" },
    },
  },
  alias: {
    id: "als",
    notFound: ["alias_not_found"],
    conflicts: ["alias_exists", "too_many_aliases"],
    audit: {
      "alias.created": "Alias created",
      "alias.updated": "Alias changed",
      "alias.deleted": "Alias deleted",
    },
    permissions: {
      "aliases:read": { roles: readers, scopes: ["inference", "keys"], label: "See aliases" },
      /** Manage aliases: the lists of models behind a name. */
      "aliases:manage": { roles: managers, scopes: ["keys"], label: "Manage aliases and their fallbacks" },
    },
  },
  output: {
    id: "out",
    notFound: ["output_not_found"],
    audit: {
      "output.kept": "Output kept",
      "output.updated": "Kept output changed",
      "output.removed": "Output removed from the library",
    },
    permissions: {
      /** Keep files of runs in the account's library, and remove them from it. */
      "outputs:keep": {
        roles: workers,
        scopes: ["predictions"],
        label: "Keep outputs in the library, and remove them from it",
      },
    },
  },
  share: {
    id: "shr",
    notFound: ["share_not_found"],
    conflicts: ["too_many_shares"],
    audit: {
      "share.created": "Output shared by link",
      "share.revoked": "Shared link revoked",
    },
    permissions: {
      /** Create, see and revoke links that show outputs to people without an account. */
      "outputs:share": {
        roles: workers,
        scopes: ["predictions"],
        label: "Share outputs by link, and revoke links",
      },
    },
  },
  report: {
    id: "rep",
    notFound: ["report_not_found"],
    conflicts: ["report_decided", "too_many_reports"],
    audit: {
      "report.removed": "Reported file removed and barred",
      "report.dismissed": "Report dismissed",
      "report.files_removed": "Files with the bytes of a reported one deleted",
    },
    permissions: {
      "reports:read": { roles: ["owner"], scopes: [], label: "See reports of shared files" },
      "reports:write": {
        roles: ["owner"],
        scopes: [],
        label: "Remove and bar reported files, and dismiss reports",
      },
    },
  },
  note: {
    id: "nte",
    notFound: ["note_not_found"],
    conflicts: ["too_many_notes"],
    audit: {
      "note.created": "Note left",
      "note.updated": "Note changed",
      "note.deleted": "Note deleted",
    },
  },
  view: {
    id: "view",
    notFound: ["view_not_found"],
    conflicts: ["view_exists", "too_many_views"],
    audit: {
      "view.created": "View saved",
      "view.deleted": "View deleted",
    },
    permissions: {
      "views:read": { roles: readers, scopes: [], label: "Open saved views of lists" },
      "views:write": { roles: readers, scopes: [], label: "Save and delete their own views of lists" },
      "views:share": { roles: workers, scopes: [], label: "Save and delete views for the account" },
    },
  },
  conversation: {
    id: "conv",
    notFound: ["conversation_not_found"],
    conflicts: ["conversation_changed", "too_many_conversations"],
    audit: {
      "conversation.created": "Conversation saved",
      "conversation.updated": "Conversation changed",
      "conversation.deleted": "Conversation deleted",
    },
    permissions: {
      "conversations:read": { roles: readers, scopes: ["predictions"], label: "Open saved conversations" },
      /** Conversations also belong to the account, so members may change each other's. */
      "conversations:write": {
        roles: workers,
        scopes: ["predictions"],
        label: "Save, change and delete conversations",
      },
    },
  },
  preset: {
    id: "pst",
    notFound: ["preset_not_found", "preset_version_not_found"],
    conflicts: ["preset_exists", "preset_changed", "too_many_presets"],
    audit: {
      "preset.created": "Preset saved",
      "preset.updated": "Preset changed",
      "preset.restored": "Preset restored to a version",
      "preset.deleted": "Preset deleted",
    },
    permissions: {
      "presets:read": { roles: readers, scopes: ["predictions"], label: "See presets" },
      /** Presets belong to the account, so members may change each other's. */
      "presets:write": { roles: workers, scopes: ["predictions"], label: "Save, change and delete presets" },
    },
  },
  upload: {
    id: "upl",
    notFound: ["upload_not_found"],
    conflicts: ["upload_not_received", "upload_already_received", "upload_offset_mismatch"],
    audit: {
      "upload.deleted": "Upload deleted",
    },
    permissions: {
      "uploads:read": { roles: readers, scopes: ["uploads"], label: "See uploads" },
      "uploads:write": { roles: workers, scopes: ["uploads"], label: "Upload and delete files" },
    },
  },
  endpoint: {
    id: "we",
    notFound: ["endpoint_not_found"],
    conflicts: ["endpoint_disabled", "too_many_endpoints"],
    audit: {
      "webhook_endpoint.created": "Endpoint added",
      "webhook_endpoint.updated": "Endpoint changed",
      "webhook_endpoint.deleted": "Endpoint deleted",
      "webhook_endpoint.secret_rotated": "Endpoint secret rotated",
      "webhook_endpoint.tested": "Test event sent",
      "webhook_endpoint.auto_disabled": "Endpoint disabled after failures",
      "webhook_endpoint.stopped": "Endpoint disabled by its receiver",
    },
    permissions: {
      "endpoints:read": { roles: readers, scopes: ["webhooks"], label: "See endpoints" },
      "endpoints:test": { roles: workers, scopes: ["webhooks"], label: "Send a test event to an endpoint" },
      "endpoints:manage": {
        roles: managers,
        scopes: ["webhooks"],
        label: "Add, change and delete endpoints",
      },
    },
  },
  preview: {
    notFound: ["preview_not_available"],
  },
  delivery: {
    id: "dlv",
    notFound: ["delivery_not_found"],
    conflicts: ["delivery_not_retryable"],
    audit: {
      "webhook_callback.secret_rotated": "Callback secret rotated",
      "webhook_delivery.retried": "Delivery retried",
      "webhook_delivery.resent": "Delivery sent again",
      "webhook_deliveries.retried": "Deliveries retried",
    },
    permissions: {
      "deliveries:read": { roles: readers, scopes: ["webhooks"], label: "See deliveries" },
      "deliveries:retry": {
        roles: workers,
        scopes: ["webhooks"],
        label: "Retry deliveries, and send delivered events again",
      },
      /** Like `predictions:note`, but for notes on deliveries. */
      "deliveries:note": { roles: workers, scopes: ["webhooks"], label: "Leave notes on deliveries" },
      /** Read the secret that signs callbacks. */
      "callbacks:secret": {
        roles: managers,
        scopes: ["webhooks"],
        label: "Read the secret that signs callbacks",
      },
    },
  },
  destination: {
    id: "dst",
    notFound: ["destination_not_found"],
    conflicts: ["destination_paused", "too_many_destinations"],
    audit: {
      "destination.created": "Destination added",
      "destination.updated": "Destination changed",
      "destination.deleted": "Destination deleted",
      "destination.tested": "Destination tested",
    },
    permissions: {
      /** Manage the buckets that outputs are copied to. */
      "destinations:manage": {
        roles: managers,
        scopes: ["webhooks"],
        label: "Add, change and delete destinations",
      },
    },
  },
  copy: {
    id: "cpy",
    notFound: ["copy_not_found"],
    conflicts: ["copy_not_retryable"],
    audit: {
      "copy.requested": "Output copied to a destination",
      "copy.retried": "Copy retried",
      "copies.retried": "Failed copies retried",
    },
    permissions: {
      /** Read destinations and the log of copies. */
      "copies:read": {
        roles: readers,
        scopes: ["predictions", "webhooks"],
        label: "See destinations and what was copied to them",
      },
      /** Copy an output to a destination, and retry copies. */
      "copies:make": {
        roles: workers,
        scopes: ["predictions"],
        label: "Copy outputs to destinations, and test destinations",
      },
    },
  },
  resend: {
    id: "rsd",
    notFound: ["resend_not_found"],
    conflicts: ["resend_running"],
    audit: {
      "webhook_resend.started": "Past events sent again",
      "webhook_resend.stopped": "Resend stopped",
    },
  },
  key: {
    id: "key",
    notFound: ["key_not_found"],
    conflicts: ["too_many_keys"],
    audit: {
      "key.created": "Key created",
      "key.updated": "Key changed",
      "key.limits_updated": "Key limited by an operator",
      "key.rotated": "Key rotated",
      "key.revoked": "Key revoked",
    },
    permissions: {
      /** A member's personal keys. */
      "keys:own": { roles: workers, scopes: ["keys"], label: "Have personal keys" },
      /** Manage service keys, everyone's personal keys, and the budgets of keys and members. */
      "keys:manage": {
        roles: managers,
        scopes: ["keys"],
        label: "Manage service keys, all keys, and budgets",
      },
    },
  },
  keyRule: {
    notFound: ["key_rule_not_found"],
    conflicts: ["too_many_key_rules"],
    audit: {
      "key_rule.created": "Key rule created",
      "key_rule.updated": "Key rule changed",
      "key_rule.deleted": "Key rule deleted",
    },
    permissions: {
      "key_rules:read": { roles: managers, scopes: [], label: "See the rules for short keys" },
      /** A key never has this permission, so that nobody who finds one opens a door that stays. */
      "key_rules:write": {
        roles: managers,
        scopes: [],
        label: "Make, change and delete rules for short keys",
      },
    },
  },
  shortKey: {
    id: "skey",
    audit: {
      "short_key.issued": "Token exchanged for a short key",
      "short_key.ended": "Short key ended",
    },
    notFound: ["short_key_not_found"],
  },
  connection: {
    notFound: ["connection_not_found"],
    audit: {
      "connection.created": "Agent connected",
      "connection.updated": "Connection changed",
      "connection.revoked": "Connection ended",
      "connection.ended": "Connection ended",
    },
    permissions: {
      /** Consent to, see and end the member's connections of agents. A key never has this permission. */
      "connections:own": { roles: workers, scopes: [], label: "Connect agents" },
    },
  },
  account: {
    id: "acct",
    notFound: ["account_not_found", "export_not_found"],
    conflicts: ["deletion_scheduled", "deletion_not_scheduled", "deletion_started", "own_address_outside"],
    audit: {
      "account.created": "Account created",
      "account.updated": "Account changed",
      "account.budgets_updated": "Account budgets changed",
      "account.limits_updated": "Account limits changed by an operator",
      "account.networks_updated": "Allowed networks changed",
      "account.address_refused": "Refused: address outside the allowed networks",
      "account.credit_added": "Credit added",
      "account.prepayment_ended": "Prepayment ended",
      "account.deletion_scheduled": "Account deletion scheduled",
      "account.deletion_canceled": "Account deletion canceled",
      "account.export_begun": "Export of the account begun",
      "account.export_part_sent": "Part of the account's export downloaded",
      "account.export_consent_changed": "Operator's export of the account allowed or refused",
      "account.sessions_ended": "All sessions ended by an operator",
      "account.personal_keys_ended": "All personal keys ended by an operator",
      "account.connections_ended": "All connections ended by an operator",
      "account.suspended": "Account suspended",
      "account.suspension_lifted": "Suspension of the account lifted",
    },
    permissions: {
      /** Manage the account's name, sign-in rules, owners, export and deletion. */
      "account:manage": {
        roles: ["owner"],
        scopes: [],
        label: "Rename, export and delete the account, set how people sign in, appoint owners",
      },
      /** Manage the account's total budget. Budgets of keys and members belong to `keys:manage`. */
      "budgets:manage": { roles: managers, scopes: [], label: "Set what the account may spend" },
    },
  },
  plan: {
    id: "plan",
    notFound: ["plan_not_found"],
    conflicts: ["plan_exists", "plan_in_use", "too_many_plans"],
    audit: {
      "plan.created": "Plan made",
      "plan.updated": "Plan changed",
      "plan.deleted": "Plan deleted",
    },
  },
  node: {
    notFound: ["node_not_found"],
    audit: {
      "node.drained": "Node drained",
      "node.undrained": "Node takes work again",
    },
  },
  task: {
    id: "task",
    notFound: ["task_not_found"],
    audit: {
      "task.raised": "Task raised",
      "task.ended": "Task ended",
    },
  },
  guard: {
    id: "grd",
    notFound: ["guard_not_found"],
    conflicts: ["guard_exists"],
    audit: {
      "guard.created": "Guard set",
      "guard.updated": "Guard changed",
      "guard.deleted": "Guard removed",
      "guard.secret_rotated": "Secret of the guard rotated",
      "guard.blocked": "Runs blocked by the guard",
    },
  },
  member: {
    notFound: ["member_not_found"],
    conflicts: ["last_owner", "member_exists", "member_of_others"],
    audit: {
      "member.joined": "Member joined",
      "member.updated": "Member changed",
      "member.removed": "Member removed",
      "member.left": "Member left",
    },
    permissions: {
      "members:read": { roles: readers, scopes: ["keys"], label: "See the members' names" },
      /** Manage members up to one's role, and invitations. */
      "members:manage": {
        roles: managers,
        scopes: [],
        label: "Invite, change and remove members up to their own role",
      },
    },
  },
  invitation: {
    id: "inv",
    notFound: ["invitation_not_found"],
    conflicts: ["too_many_invitations"],
    audit: {
      "invitation.created": "Invited",
      "invitation.renewed": "Invitation renewed",
      "invitation.revoked": "Invitation revoked",
    },
  },
  session: {
    id: "ses",
    notFound: ["session_not_found"],
    audit: {
      "session.created": "Signed in",
      "session.ended": "Sessions ended",
    },
  },
  identity: {
    id: "idn",
    notFound: ["identity_not_found", "provider_not_configured"],
    conflicts: ["identity_taken", "only_way_to_sign_in"],
    audit: {
      "identity.linked": "Linked a sign-in at the identity provider",
      "identity.unlinked": "Unlinked a sign-in at the identity provider",
    },
  },
  provider: {
    id: "prov",
    notFound: ["provider_not_found"],
    conflicts: ["provider_not_tried", "provider_exists"],
    audit: {
      "provider.created": "Provider added",
      "provider.updated": "Provider changed",
      "provider.deleted": "Provider deleted",
    },
  },
  change: {
    notFound: ["change_not_found"],
    conflicts: ["change_not_undoable", "configuration_changed"],
    audit: {
      "configuration.imported": "Providers file imported",
      "configuration.import_undone": "Import of a providers file undone",
    },
  },
  passwordReset: {
    id: "rst",
    notFound: ["reset_not_found"],
    audit: {
      "password.changed": "Password changed",
      "password.reset_link_created": "Password reset link created",
      "password.reset": "Password reset",
    },
  },
  passkey: {
    id: "pky",
    notFound: ["passkey_not_found"],
    conflicts: ["passkeys_unavailable", "last_second_factor"],
    audit: {
      "passkey.created": "Passkey added",
      "passkey.updated": "Passkey renamed",
      "passkey.removed": "Passkey removed",
      "totp.created": "Authenticator app set up",
      "totp.removed": "Authenticator app removed",
      "recovery_codes.created": "Recovery codes created",
      "recovery_code.used": "Recovery code used",
      "second_factor.cleared": "Second factor cleared",
    },
  },
  batch: {
    id: "batch",
    notFound: ["batch_not_found"],
    conflicts: ["batch_ended", "too_many_batches"],
    audit: {
      "batch.created": "Batch started",
      "batch.paused": "Batch paused",
      "batch.resumed": "Batch resumed",
      "batch.stopped": "Batch stopped",
      "batch.retried": "Failed rows of a batch run again",
      "batch.picked": "Best row of a comparison chosen",
      "batch.output_deleted": "Output of a batch deleted",
    },
  },
  /** A batch that runs one input on several models. Its ids, errors and actions are those of batches. */
  comparison: {},
  attestation: {
    id: "atst",
    notFound: ["attestation_not_found"],
    audit: {
      "attestation.created": "Attested",
      "attestation.withdrawn": "Attestation withdrawn",
    },
    permissions: {
      "attestations:read": { roles: readers, scopes: ["keys"], label: "See who has attested what" },
      "attestations:make": { roles: workers, scopes: [], label: "Attest, and withdraw attestations" },
      /** Be responsible for service keys: the keys run gated models with this person's attestations. */
      "attestations:answer": {
        roles: managers,
        scopes: [],
        label: "Be responsible for service keys, which then use their attestations",
      },
    },
  },
  emailChange: {
    id: "emc",
    notFound: ["email_change_not_found"],
    audit: {
      "email.change_requested": "New e-mail address to be confirmed",
      "email.changed": "E-mail address changed",
    },
  },
  notice: {
    id: "ntc",
    notFound: ["notice_not_found"],
    permissions: {
      /**
       * Read notices: a person reads theirs, a service key reads the account's. Each list contains only
       * notices that the role may see.
       */
      "notices:read": {
        roles: ["owner", "admin", "member", "viewer", "billing"],
        scopes: ["keys"],
        label: "See notices that concern their role",
      },
    },
  },
  noticeHook: {
    id: "nhk",
    notFound: ["notice_hook_not_found"],
    conflicts: ["too_many_notice_hooks"],
    audit: {
      "notice_hook.created": "Incoming webhook added",
      "notice_hook.updated": "Incoming webhook changed",
      "notice_hook.deleted": "Incoming webhook deleted",
    },
    permissions: {
      /** Manage the incoming webhooks to which an account's notices are posted. */
      "notices:manage": {
        roles: managers,
        scopes: ["keys"],
        label: "Choose the chats that notices are posted to",
      },
    },
  },
  incident: {
    id: "inc",
    notFound: ["incident_not_found"],
    conflicts: ["too_many_incidents", "too_many_incident_updates"],
    audit: {
      "incident.created": "Incident created",
      "incident.updated": "Incident changed",
      "incident.deleted": "Incident deleted",
      "incident_update.created": "Update of an incident added",
    },
  },
  event: {
    id: "evt",
    permissions: {
      "events:listen": {
        roles: workers,
        scopes: ["webhooks"],
        label: "Forward events to a program on their machine",
      },
    },
  },
  audit: {
    id: "aud",
    permissions: {
      "audit:read": { roles: managers, scopes: ["keys"], label: "See the audit log" },
    },
  },
  receiptKey: {
    audit: {
      "receipt_key.rotated": "Receipt key rotated",
    },
  },
  route: {
    id: "rte",
    audit: {
      "routes.updated": "Routes changed",
    },
  },
  price: {
    id: "price",
    audit: {
      "price.created": "Price set",
      "prices.imported": "Prices imported",
    },
  },
  markup: {
    id: "mkp",
    audit: {
      "markup.created": "Markup set",
    },
  },
  user: {
    id: "usr",
  },
  generation: {
    id: "gen",
  },
  attempt: {
    id: "att",
  },
  retryRun: {
    id: "bulk",
  },
  cause: {
    id: "cse",
  },
  noticeMessage: {
    id: "ntm",
  },
  credit: {
    id: "crd",
  },
  incidentUpdate: {
    id: "inu",
  },
  usage: {
    permissions: {
      "usage:read": {
        roles: ["owner", "admin", "viewer", "billing"],
        scopes: ["usage"],
        label: "See the usage of everybody",
      },
      "usage:own": {
        roles: ["owner", "admin", "member", "viewer", "billing"],
        scopes: ["usage"],
        label: "See their own usage",
      },
    },
  },
} as const satisfies Record<string, Resource>;

type Resources = typeof resources;
export type ResourceName = keyof Resources;

type Part<Name extends keyof Resource> = {
  [Key in ResourceName]: Resources[Key] extends Record<Name, infer Value> ? Value : never;
};
/** The keys of each member of a union. */
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
export type IdKind = {
  [Key in ResourceName]: Resources[Key] extends { id: string } ? Key : never;
}[ResourceName];
export type IdPrefix<Kind extends IdKind> = Part<"id">[Kind];
export type NotFoundCode = Part<"notFound">[ResourceName][number];
export type ConflictCode = Part<"conflicts">[ResourceName][number];
export type AuditAction = KeyOf<Part<"audit">[ResourceName]>;
/** The permissions that a route can require. */
export type Permission = KeyOf<Part<"permissions">[ResourceName]>;

/** The names of all resources with their descriptions. */
export function described(): [ResourceName, Resource][] {
  return Object.entries(resources) as [ResourceName, Resource][];
}
