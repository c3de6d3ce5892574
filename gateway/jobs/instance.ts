import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** This process, as the owner of leases. */
export const instanceId = `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** A job whose worker died is taken over after this; renewed every third of it. */
export const leaseMs = 30_000;
