import type { AuditAction } from "#contract/audit.ts";

const labels: Record<AuditAction, string> = {
  "account.created": "Account created",
  "account.updated": "Account changed",
  "session.created": "Signed in",
  "session.ended": "Sessions ended",
  "member.joined": "Member joined",
  "member.updated": "Member changed",
  "member.removed": "Member removed",
  "member.left": "Member left",
  "invitation.created": "Invited",
  "invitation.renewed": "Invitation renewed",
  "invitation.revoked": "Invitation revoked",
  "password.changed": "Password changed",
  "password.reset_link_created": "Link to reset a password made",
  "password.reset": "Password reset",
  "attestation.created": "Attested",
  "attestation.withdrawn": "Attestation withdrawn",
  "key.created": "Key created",
  "key.updated": "Key changed",
  "key.rotated": "Key rotated",
  "key.revoked": "Key revoked",
  "webhook_endpoint.created": "Endpoint added",
  "webhook_endpoint.updated": "Endpoint changed",
  "webhook_endpoint.deleted": "Endpoint deleted",
  "webhook_endpoint.secret_rotated": "Endpoint secret rotated",
  "webhook_endpoint.tested": "Test event sent",
  "webhook_endpoint.auto_disabled": "Endpoint disabled after failures",
  "webhook_delivery.retried": "Delivery retried",
  "webhook_deliveries.retried": "Deliveries retried",
  "prediction.canceled": "Prediction canceled",
  "upload.deleted": "Upload deleted",
};

/** What each action of the audit log is in plain words; an unknown action is shown as it is. */
export const actionLabels = new Map<string, string>(Object.entries(labels));
