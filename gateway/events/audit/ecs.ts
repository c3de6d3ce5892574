import { isIP } from "node:net";
import { type AuditAction, actionLabels } from "#contract/audit.ts";

/** The release of the Elastic Common Schema that events follow. */
export const ecsVersion = "8.17.0";

/**
 * What each action of the audit log is in the Elastic Common Schema: `event.category`, and within it `event.type`. Each type is
 * one that ECS expects of its category. `docs/audit-stream.md` has the same table.
 */
export const categories = {
  iam: {
    creation: [
      ...["account.created", "member.joined", "invitation.created", "invitation.renewed", "identity.linked"],
      ...[
        "key.created",
        "key_rule.created",
        "short_key.issued",
        "connection.created",
        "passkey.created",
        "totp.created",
        "recovery_codes.created",
      ],
      ...["attestation.created", "password.reset_link_created", "email.change_requested"],
    ],
    change: [
      ...["account.updated", "account.suspended", "account.suspension_lifted", "account.deletion_scheduled"],
      ...[
        "account.deletion_canceled",
        "member.updated",
        "key.updated",
        "key.rotated",
        "key_rule.updated",
        "connection.updated",
      ],
      "account.export_consent_changed",
      ...["password.changed", "password.reset", "passkey.updated", "recovery_code.used", "email.changed"],
    ],
    deletion: [
      ...[
        "member.removed",
        "member.left",
        "invitation.revoked",
        "identity.unlinked",
        "key.revoked",
        "key_rule.deleted",
        "short_key.ended",
      ],
      ...[
        "connection.revoked",
        "connection.ended",
        "account.personal_keys_ended",
        "account.connections_ended",
      ],
      ...["passkey.removed", "totp.removed", "second_factor.cleared", "attestation.withdrawn"],
    ],
  },
  session: {
    start: ["session.created"],
    end: ["session.ended", "account.sessions_ended"],
  },
  configuration: {
    creation: [
      ...["model.created", "provider.created", "price.created", "markup.created", "alias.created"],
      ...["webhook_endpoint.created", "destination.created", "notice_hook.created"],
      ...["incident.created", "incident_update.created", "plan.created"],
      "guard.created",
    ],
    change: [
      ...["model.updated", "provider.updated", "routes.updated", "prices.imported", "alias.updated"],
      ...["configuration.imported", "configuration.import_undone", "receipt_key.rotated", "node.drained"],
      ...["plan.updated", "key.limits_updated"],
      ...[
        "account.networks_updated",
        "node.undrained",
        "account.limits_updated",
        "account.budgets_updated",
        "account.credit_added",
      ],
      ...["guard.updated", "guard.secret_rotated"],
      ...["account.prepayment_ended", "task.raised", "task.ended", "webhook_endpoint.updated"],
      ...["webhook_endpoint.secret_rotated", "webhook_endpoint.auto_disabled", "webhook_endpoint.stopped"],
      ...[
        "webhook_callback.secret_rotated",
        "destination.updated",
        "notice_hook.updated",
        "incident.updated",
      ],
    ],
    deletion: [
      ...["model.deleted", "provider.deleted", "alias.deleted", "webhook_endpoint.deleted"],
      ...["destination.deleted", "notice_hook.deleted", "incident.deleted", "plan.deleted"],
      "guard.deleted",
    ],
    info: ["webhook_endpoint.tested", "destination.tested"],
  },
  file: {
    creation: ["output.kept"],
    change: ["output.updated"],
    access: ["share.created", "account.export_begun", "account.export_part_sent"],
    deletion: [
      ...["output.removed", "share.revoked", "upload.deleted", "prediction.deleted", "batch.output_deleted"],
      ...["report.removed", "report.files_removed"],
    ],
  },
  api: {
    access: ["content.opened", "contents.listed", "contents.searched", "contents.exported"],
    creation: [
      ...["batch.created", "note.created", "view.created", "conversation.created", "preset.created"],
    ],
    start: [
      ...["webhook_delivery.retried", "webhook_delivery.resent", "webhook_deliveries.retried"],
      ...["webhook_resend.started", "copy.requested", "copy.retried", "copies.retried"],
      ...["batch.resumed", "batch.retried"],
    ],
    change: [
      ...["content.updated", "note.updated", "conversation.updated", "preset.updated", "preset.restored"],
      ...["batch.picked", "report.dismissed"],
    ],
    denied: ["account.address_refused", "guard.blocked"],
    end: ["prediction.canceled", "batch.paused", "batch.stopped", "webhook_resend.stopped"],
    deletion: [
      ...["content.deleted", "note.deleted", "view.deleted", "conversation.deleted", "preset.deleted"],
    ],
  },
} as const satisfies Record<string, Record<string, readonly AuditAction[]>>;

interface Kind {
  category: string;
  type: string;
}

/** An action of a later release, which runs beside this one. */
const unknown: Kind = { category: "api", type: "info" };

const kinds = new Map<string, Kind>(
  Object.entries<Record<string, readonly string[]>>(categories).flatMap(([category, types]) =>
    Object.entries(types).flatMap(([type, actions]) =>
      actions.map((action) => [action, { category, type }] as const),
    ),
  ),
);

/** The columns of an audit row, as PostgreSQL's JSON has them. */
export interface AuditColumns {
  id: string;
  account_id: string;
  at: string;
  action: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string;
  user_id: string | null;
  target_id: string | null;
  detail: Record<string, unknown> | null;
  ip: string | null;
  request_id: string | null;
}

/** A larger detail, such as that of an import, stays in the audit log. */
export const maxDetailBytes = 64_000;

/**
 * An audit row as an event of the Elastic Common Schema. `sequence` is its place in the stream; `accountName` is null if the
 * account is gone.
 */
export function ecsEvent(row: AuditColumns, sequence: number, accountName: string | null): object {
  const { category, type } = kinds.get(row.action) ?? unknown;
  const userId = row.user_id ?? (row.actor_type === "user" ? row.actor_id : null);
  const detail = withoutPaths(row.detail);
  const bytes = detail === null ? 0 : Buffer.byteLength(JSON.stringify(detail));
  return {
    "@timestamp": new Date(row.at).toISOString(),
    ecs: { version: ecsVersion },
    message: actionLabels.get(row.action) ?? row.action,
    event: {
      id: row.id,
      sequence,
      kind: "event",
      module: "gatehouse",
      dataset: "gatehouse.audit",
      action: row.action,
      category: [category],
      type: [type],
      outcome: type === "denied" ? "failure" : "success",
    },
    organization: { id: row.account_id, ...(accountName !== null && { name: accountName }) },
    ...(userId !== null && {
      user: { id: userId, ...(userId === row.actor_id && { name: row.actor_name }) },
    }),
    ...(row.ip !== null && isIP(row.ip) !== 0 && { source: { ip: row.ip } }),
    ...(row.request_id !== null && { http: { request: { id: row.request_id } } }),
    gatehouse: {
      actor: {
        type: row.actor_type,
        ...(row.actor_id !== null && { id: row.actor_id }),
        name: row.actor_name,
      },
      ...(row.target_id !== null && { target_id: row.target_id }),
      ...(bytes > maxDetailBytes ? { detail_bytes: bytes } : detail !== null && { detail }),
    },
  };
}

/** A detail with only the origin of each address in it, because the path or the query of a receiver may be a secret. */
function withoutPaths<Value>(value: Value): Value {
  if (typeof value === "string") return originOf(value) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPaths) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, withoutPaths(of)])) as Value;
}

function originOf(text: string): string {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) return text;
  return url.pathname === "/" && url.search === "" ? url.origin : `${url.origin}/…`;
}
