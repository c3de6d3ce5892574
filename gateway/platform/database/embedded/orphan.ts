import { existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gatewayRole } from "./cluster.ts";
import { clusterFolder } from "./places.ts";
import { claimServer, runningPostmaster, stopPostmaster } from "./postmaster.ts";

const readyTimeoutMs = 10_000;
const pollMs = 20;

/**
 * Stops the server of a data folder whose gateway was killed or died while starting; a server in use keeps
 * running.
 */
export async function endOrphan(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  const cluster = clusterFolder(dataDir);
  const deadline = Date.now() + readyTimeoutMs;
  let postmaster = runningPostmaster(cluster);
  while (postmaster && !postmaster.ready && Date.now() < deadline) {
    await sleep(pollMs);
    postmaster = runningPostmaster(cluster);
  }
  if (!postmaster) return;
  const { pid, socketDir } = postmaster;
  const claim = await claimServer({ host: socketDir, user: gatewayRole, database: gatewayRole });
  if (claim.state !== "won") return;
  await stopPostmaster(pid, cluster);
  await claim.release();
  rmSync(socketDir, { recursive: true, force: true });
}
