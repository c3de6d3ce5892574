import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type pg from "pg";

/**
 * How the server behind a relay becomes unavailable: connections are ended and refused, as when its process
 * stops; reset and refused, as when its machine does; or no byte passes.
 */
export type Absence = "refused" | "reset" | "silent";

/** A connection to a database that a test can cut. */
export interface Relay {
  /** On 127.0.0.1. */
  port: number;
  /** Number of refused connections. */
  readonly refused: number;
  cut(how: Absence): void;
  /** Cuts once the clients have sent this many more pieces, mostly one a statement. */
  cutAfter(pieces: number, how?: Absence): void;
  /** Number of pieces that clients have sent. */
  readonly pieces: number;
  /** Bytes sent during the silence arrive late. */
  restore(): void;
  close(): Promise<void>;
}

export async function startRelay({ host = "", port = 5432 }: pg.PoolConfig): Promise<Relay> {
  const sockets = new Set<Socket>();
  let absence: Absence | null = null;
  let refused = 0;
  let pieces = 0;
  let lastPiece = Number.POSITIVE_INFINITY;
  let lastHow: Absence = "refused";
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => void sockets.delete(socket));
    if (absence === "silent") socket.pause();
  };
  const relay = createServer((client) => {
    if (absence === "refused" || absence === "reset") {
      refused += 1;
      client.destroy();
      return;
    }
    const server = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    client.on("data", () => {
      pieces += 1;
      if (pieces === lastPiece) cut(lastHow);
    });
    client.pipe(server);
    server.pipe(client);
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    keep(client);
    keep(server);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const cut = (how: Absence): void => {
    absence = how;
    for (const socket of sockets) {
      if (how === "silent") socket.pause();
      // A Unix socket, which has no address, cannot be reset.
      else if (how === "reset" && socket.remoteAddress) socket.resetAndDestroy();
      else socket.destroy();
    }
  };
  return {
    port: (relay.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    get pieces() {
      return pieces;
    },
    cut,
    cutAfter(more, how = "refused") {
      lastPiece = pieces + more;
      lastHow = how;
    },
    restore() {
      absence = null;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
      await once(relay, "close");
    },
  };
}
