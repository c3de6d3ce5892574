import { type Permission, permissions } from "#contract/accounts/permissions.ts";
import { clock } from "#gateway/platform/core/clock.ts";

/** Allowed while deletion is pending: read, cancel runs, undo the deletion. */
const whileClosing = new Set(
  permissions.filter(
    (permission) =>
      permission.endsWith(":read") ||
      ["usage:own", "predictions:cancel", "account:manage"].includes(permission),
  ),
);

/** The permissions in an account with a pending deletion: few before it begins, none after. */
export function permissionsUntil(
  closesAt: Date | null,
  granted: ReadonlySet<Permission>,
): ReadonlySet<Permission> {
  if (closesAt === null) return granted;
  if (closesAt <= clock.date()) return new Set();
  return new Set([...granted].filter((permission) => whileClosing.has(permission)));
}
