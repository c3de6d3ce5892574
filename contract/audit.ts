import { type Static, Type } from "typebox";
import { closed, ListOf, PageQuery } from "./list.ts";
import { Nullable, Timestamp } from "./nullable.ts";

export const auditActions = [
  "account.created",
  "account.updated",
  "account.deletion_scheduled",
  "account.deletion_canceled",
  "session.created",
  "session.ended",
  "identity.linked",
  "identity.unlinked",
  "member.joined",
  "member.updated",
  "member.removed",
  "member.left",
  "invitation.created",
  "invitation.renewed",
  "invitation.revoked",
  "password.changed",
  "password.reset_link_created",
  "password.reset",
  "passkey.created",
  "passkey.updated",
  "passkey.removed",
  "totp.created",
  "totp.removed",
  "recovery_codes.created",
  "recovery_code.used",
  "second_factor.cleared",
  "attestation.created",
  "attestation.withdrawn",
  "key.created",
  "key.updated",
  "key.rotated",
  "key.revoked",
  "webhook_endpoint.created",
  "webhook_endpoint.updated",
  "webhook_endpoint.deleted",
  "webhook_endpoint.secret_rotated",
  "webhook_endpoint.tested",
  "webhook_endpoint.auto_disabled",
  "webhook_delivery.retried",
  "webhook_deliveries.retried",
  "prediction.canceled",
  "upload.deleted",
  "provider.created",
  "provider.updated",
  "provider.deleted",
  "routes.updated",
  "configuration.imported",
  "configuration.import_undone",
  "model.created",
  "model.updated",
  "model.deleted",
  "preset.created",
  "preset.updated",
  "preset.deleted",
  "batch.created",
  "batch.paused",
  "batch.resumed",
  "batch.stopped",
  "batch.retried",
] as const;
export type AuditAction = (typeof auditActions)[number];

export const AuditQuery = Type.Interface(
  [PageQuery],
  {
    action: Type.Optional(Type.Enum(auditActions)),
    user_id: Type.Optional(
      Type.String({ description: "Only of this member, also with their personal keys" }),
    ),
    key_id: Type.Optional(Type.String({ description: "Only of this account key" })),
  },
  closed,
);
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("audit_log"),
  at: Timestamp,
  action: Type.String({ description: "e.g. `webhook_endpoint.created`" }),
  actor: Type.Object({
    type: Type.Enum(["user", "key", "system", "operator"]),
    id: Nullable(Type.String()),
    name: Type.String(),
    user_id: Nullable(Type.String({ description: "the member, also when they used a personal key" })),
  }),
  target_id: Nullable(Type.String()),
  detail: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
});
export type AuditRow = Static<typeof AuditRow>;
export const AuditList = ListOf(AuditRow);
