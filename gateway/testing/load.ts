import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";

export const ordered = {
  model: "svc/img-gen-b",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

/** An order or a cancel that failed. */
export interface Refusal {
  /** 0: the connection broke, so it may have been accepted. */
  status: number;
  code: string;
  /** Whether the answer says when to retry, or that the order may have been stored. */
  retriable: boolean;
  /** The time of the answer, and its duration. */
  atMs: number;
  ms: number;
}

export interface Load {
  /** Ids that were answered with 202, and the prompt of each. */
  accepted: Map<string, string>;
  /** The time of each 202. */
  acceptedAtMs: number[];
  canceled: Set<string>;
  refused: Refusal[];
  /** The gateway that gets the next orders. */
  urls: string[];
  /** Resolves when all current orders have been answered. */
  answered(): Promise<void>;
  stop(): Promise<void>;
}

interface LoadOptions {
  urls: string[];
  bearer: string;
  clients?: number;
  /** Pause of each client between two orders. */
  pauseMs?: number;
  /** One in this many orders is canceled; 0: none. */
  cancelEvery?: number;
  /** A client stops waiting for an answer after this. */
  patienceMs?: number;
}

/** Clients that request images, each with its own prompt, and continue after a rejection. */
export function startLoad({
  urls,
  bearer,
  clients = 4,
  pauseMs = 100,
  cancelEvery = 0,
  patienceMs = 40_000,
}: LoadOptions): Load {
  let stopped = false;
  let turn = 0;
  const underWay = new Set<Promise<unknown>>();
  const load: Load = {
    accepted: new Map(),
    acceptedAtMs: [],
    canceled: new Set(),
    refused: [],
    urls,
    answered: async () => void (await Promise.all(underWay)),
    async stop() {
      stopped = true;
      await work;
    },
  };
  const post = async (route: string, body: object): Promise<Record<string, unknown> | null> => {
    const asking = ask(route, body);
    underWay.add(asking);
    return asking.finally(() => underWay.delete(asking));
  };
  const ask = async (route: string, body: object): Promise<Record<string, unknown> | null> => {
    const startedAt = Date.now();
    turn += 1;
    const refuse = (status: number, code: string, retriable: boolean) => {
      load.refused.push({ status, code, retriable, atMs: Date.now(), ms: Date.now() - startedAt });
      return null;
    };
    try {
      const response = await fetch(`${load.urls[turn % load.urls.length]}${route}`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.status < 300) return answer;
      const { code } = (answer.error ?? {}) as { code?: string };
      // An order that may have been stored just before the database failed must not be sent again.
      const isAdvised =
        response.headers.has("retry-after") || response.headers.get("x-should-retry") === "false";
      const retriable = [429, 503].includes(response.status) && isAdvised;
      return refuse(response.status, String(code), retriable);
    } catch (error) {
      return refuse(0, String((error as Error).cause ?? error), false);
    }
  };
  const one = async (cancels: boolean): Promise<void> => {
    const prompt = randomUUID();
    const order = await post("/images/generations", { ...ordered, prompt });
    if (!order) return;
    const id = String(order.id);
    load.accepted.set(id, prompt);
    load.acceptedAtMs.push(Date.now());
    if (!cancels) return;
    const canceled = await post(`/predictions/${id}/cancel`, {});
    if (canceled?.status === "canceled") load.canceled.add(id);
  };
  const work = Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let order = client; !stopped; order += 1) {
        await one(cancelEvery > 0 && order % cancelEvery === 0);
        await after(pauseMs);
      }
    }),
  );
  return load;
}
