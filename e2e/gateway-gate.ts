import { connect, createServer, type Server, type Socket } from "node:net";
import { Transform } from "node:stream";

/** A gateway address that a test can make unreachable and reachable again. */
export interface Gate {
  url: string;
  shut(): Promise<void>;
  reopen(): Promise<void>;
  /** Delays requests that contain `text` until the test calls the returned function. */
  hold(text: string): () => void;
  close(): Promise<void>;
}

/** Forwards connections to the gateway at `gatewayUrl` until the gate is closed. */
export async function openGate(gatewayUrl: string): Promise<Gate> {
  const target = Number(new URL(gatewayUrl).port);
  const sockets = new Set<Socket>();
  let held: Held | null = null;
  const open = (): Server =>
    createServer((socket) => {
      const through = connect(target, "localhost");
      for (const one of [socket, through]) {
        sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => {
          sockets.delete(one);
          socket.destroy();
          through.destroy();
        });
      }
      socket
        .pipe(waiting(() => held))
        .pipe(through)
        .pipe(socket);
    });
  let server = open();
  const port = await listen(server, 0);
  const shut = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return {
    url: `http://localhost:${port}`,
    shut,
    async reopen() {
      server = open();
      await listen(server, port);
    },
    hold(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = { text, released: promise };
      return () => {
        held = null;
        resolve();
      };
    },
    close: () => (server.listening ? shut() : Promise.resolve()),
  };
}

interface Held {
  text: string;
  released: Promise<void>;
}

function waiting(held: () => Held | null): Transform {
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const now = held();
      if (!now || !piece.includes(now.text)) return done(null, piece);
      void now.released.then(() => done(null, piece));
    },
  });
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return (server.address() as { port: number }).port;
}
