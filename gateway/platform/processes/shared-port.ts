import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { isSupervised } from "./supervised.ts";

/**
 * Options of `listen` for a port that several processes share. The kernel distributes the connections. If it
 * cannot, the supervisor does; a connection then hangs if the process that should get it is killed at that
 * moment.
 */
export const sharedPort = isSupervised && process.platform === "linux" ? { reusePort: true } : {};

/**
 * How long to wait for the port: if a supervisor was killed, its processes end by themselves, but under load
 * only after a while.
 */
const takenMs = 5_000;
const lookEveryMs = 100;

/**
 * The port number, once it is free; otherwise another program might share it by mistake. Replaces 0 by a free
 * port.
 */
export async function findPort(port: number, host: string, log: Logger): Promise<number> {
  const giveUpAt = performance.now() + takenMs;
  for (let look = 0; ; look += 1) {
    try {
      return await takePort(port, host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || performance.now() > giveUpAt) throw error;
      if (look === 0) log.warn(`port ${port} is taken; waiting, in case a killed gateway is still ending`);
      await sleep(lookEveryMs);
    }
  }
}

async function takePort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return found;
}
