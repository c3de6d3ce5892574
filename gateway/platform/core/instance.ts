import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** Identifies this process as the owner of leases. */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** A dead worker's job is taken over after this time; live workers renew leases every third of it. */
export const leaseMs = 30_000;

/**
 * The lease of work that was handed to an upstream and that no other process can poll or restart. Its holder may only be
 * cut off from the database, and what it holds is the only copy of the answer, so others wait 120 s longer.
 */
export const soleHolderLeaseMs = leaseMs + 120_000;
