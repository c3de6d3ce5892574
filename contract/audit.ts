import { type Static, Type } from "typebox";
import { closed, createdFilter, ListOf, Nullable, PageQuery, Timestamp } from "./list.ts";
import { type AuditAction, described, type ResourceName } from "./resources.ts";

export type { AuditAction };

/** The resources whose actions are first in the filter of the log. Those of the others follow. */
const first: readonly ResourceName[] = [
  "account",
  "session",
  "identity",
  "member",
  "invitation",
  "emailChange",
  "passwordReset",
  "passkey",
  "attestation",
  "key",
  "keyRule",
  "shortKey",
  "task",
  "connection",
  "endpoint",
  "delivery",
  "destination",
  "copy",
  "noticeHook",
  "incident",
  "resend",
  "prediction",
  "upload",
  "share",
  "report",
  "note",
  "view",
  "provider",
  "route",
  "change",
  "model",
  "price",
  "markup",
  "alias",
  "preset",
  "conversation",
  "output",
  "batch",
  "receiptKey",
];

const descriptions = new Map(described());

/** The actions of the audit log with their labels, in the order of the filter. */
const labels = [...new Set([...first, ...descriptions.keys()])].flatMap((name) =>
  Object.entries(descriptions.get(name)?.audit ?? {}),
) as [AuditAction, string][];

const auditActions = labels.map(([action]) => action);

/** The labels of the actions; an unknown action is shown as it is. */
export const actionLabels = new Map<string, string>(labels);

const auditFilter = {
  action: Type.Optional(Type.Enum(auditActions)),
  user_id: Type.Optional(
    Type.String({ description: "Only actions of this member, signed in or with a personal key" }),
  ),
  key_id: Type.Optional(Type.String({ description: "Only actions of this account key" })),
};

export const AuditQuery = Type.Interface([PageQuery], auditFilter, closed);
export type AuditQuery = Static<typeof AuditQuery>;

/** The filters of the log without its pages, for a file of all rows. */
export const AuditExportQuery = Type.Object({ ...auditFilter, ...createdFilter }, closed);

export const AuditRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("audit_log"),
  at: Timestamp,
  action: Type.String({ description: "the action, e.g. `webhook_endpoint.created`" }),
  actor: Type.Object({
    type: Type.Enum(["user", "key", "system", "operator"]),
    id: Nullable(Type.String()),
    name: Type.String(),
    user_id: Nullable(Type.String({ description: "id of the member, signed in or with a personal key" })),
  }),
  target_id: Nullable(Type.String()),
  detail: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
});
export type AuditRow = Static<typeof AuditRow>;
export const AuditList = ListOf(AuditRow);
