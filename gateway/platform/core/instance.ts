import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** Identifies this process in leases. */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** After this time a dead worker's job is taken over; live workers renew their leases every third of it. */
export const leaseMs = 30_000;

/**
 * The lease for work at an upstream that no other process can poll or restart. Its holder has the only copy
 * of the answer, and may only be cut off from the database, so other processes wait 120 s longer before they
 * take the work over.
 */
export const soleHolderLeaseMs = leaseMs + 120_000;
