import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { isSupervised } from "./supervised.ts";

/**
 * Options of `listen` for a port that several processes share. The kernel divides the connections among them. Where it
 * cannot, the supervisor hands them out; a connection that it was handing to a process that is killed then hangs.
 */
export const sharedPort = isSupervised && process.platform === "linux" ? { reusePort: true } : {};

/** The number of the port, if it is free; another program could share it by mistake otherwise. Replaces 0 by a free one. */
export async function findPort(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  const found = (server.address() as AddressInfo).port;
  server.close();
  await once(server, "close");
  return found;
}
