import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** Identifies this process as the owner of leases. */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** A dead worker's job is taken over after this time; live workers renew leases every third of it. */
export const leaseMs = 30_000;
