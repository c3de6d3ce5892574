import tls from "node:tls";
import type { BaseContext } from "#gateway/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { NewCause } from "#gateway/platform/outbox/record-cause.ts";

const hostNoticeMs = 14 * 86_400_000;
const connectMs = 5_000;
/** How often the certificates are read. */
const certificatesEveryMs = 12 * 3_600_000;

export type Found = Omit<NewCause, "accountId" | "once">;

interface Read {
  atMs: number;
  expiries: Map<string, Date>;
}
const lastRead = new WeakMap<BaseContext, Read>();

/**
 * Certificates of the installation's own URLs that expire soon. Only a TLS handshake is made; no request is
 * sent.
 */
export async function certificateCauses(context: BaseContext): Promise<Found[]> {
  let read = lastRead.get(context);
  if (!read || performance.now() - read.atMs > certificatesEveryMs) {
    read = { atMs: performance.now(), expiries: await readExpiries(context) };
    lastRead.set(context, read);
  }
  return [...read.expiries]
    .filter(([, expiresAt]) => expiresAt.getTime() - clock.now() < hostNoticeMs)
    .map(
      ([host, expiresAt]): Found => ({
        cause: "certificate.expiring",
        subjectId: host,
        data: { host, expires_at: expiresAt.toISOString() },
      }),
    );
}

async function readExpiries({ config }: BaseContext): Promise<Map<string, Date>> {
  const urls = [config.publicUrl, config.consoleUrl].map((text) => new URL(text));
  const hosts = new Map(urls.filter(({ protocol }) => protocol === "https:").map((url) => [url.host, url]));
  const expiries = new Map<string, Date>();
  for (const [host, url] of hosts) {
    const expiresAt = await expiryOf(url);
    if (expiresAt) expiries.set(host, expiresAt);
  }
  return expiries;
}

/** Null if no server answers: a proxy may be reachable only from outside. */
function expiryOf({ hostname, port }: URL): Promise<Date | null> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      host: hostname,
      port: Number(port || 443),
      servername: hostname,
      // The check must also read expired certificates. No data is sent.
      rejectUnauthorized: false,
    });
    const finish = (expiresAt: Date | null) => {
      socket.destroy();
      resolve(expiresAt);
    };
    socket.setTimeout(connectMs, () => finish(null));
    socket.once("error", () => finish(null));
    socket.once("secureConnect", () => {
      const expiresAt = new Date(socket.getPeerCertificate().valid_to);
      finish(Number.isNaN(expiresAt.getTime()) ? null : expiresAt);
    });
  });
}
