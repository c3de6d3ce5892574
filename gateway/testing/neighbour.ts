import { pino } from "pino";
import { createAccount } from "#gateway/access/accounts/account.ts";
import { openDatabase } from "#gateway/platform/database/open.ts";
import { call } from "./gateway.ts";
import { ordered } from "./load.ts";
import type { Receiver } from "./receiver.ts";

const owner = { email: "neighbour@example.com", password: "correct-horse-battery" };
const silentPath = "/silent";
const atOnce = 10;

interface Neighbourhood {
  proxy: { url: string };
  receiver: Receiver;
  databaseUrl: string;
}

export interface Neighbour {
  /** Deletes the endpoints, which cancels their waiting deliveries. */
  leave(): Promise<void>;
}

/** Another account with endpoints that never answer, and a backlog of deliveries to them. */
export async function addNeighbour(
  { proxy, receiver, databaseUrl }: Neighbourhood,
  { endpoints, orders }: { endpoints: number; orders: number },
): Promise<Neighbour> {
  receiver.answer(({ path }, response) => {
    if (path !== silentPath) response.writeHead(204).end();
  });
  const settings = { databaseUrl, migrate: false, dataDir: "" };
  const database = await openDatabase(settings, pino({ level: "silent" }), "borrow");
  await database.transaction((queries) => createAccount(queries, { ...owner, name: "Neighbour" }));
  await database.close();
  const bearer = String((await call(proxy, null, "POST", "/account/sessions", owner)).body.token);
  const ask = async (method: string, route: string, body?: object) => {
    const answer = await call(proxy, bearer, method, route, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return String(answer.body.id);
  };
  const url = `${receiver.url}${silentPath}`;
  const ids = await repeat(endpoints, () => ask("POST", "/webhooks/endpoints", { url }));
  await repeat(orders, () => ask("POST", "/images/generations", { ...ordered, prompt: crypto.randomUUID() }));
  return {
    async leave() {
      await repeat(ids.length, (index) => ask("DELETE", `/webhooks/endpoints/${ids[index]}`));
    },
  };
}

async function repeat<Result>(times: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < times; first += atOnce) {
    const size = Math.min(atOnce, times - first);
    results.push(...(await Promise.all(Array.from({ length: size }, (_, place) => work(first + place)))));
  }
  return results;
}

/**
 * Milliseconds from each event to its arrival at the owner's endpoint, after the receiver's first `since`
 * requests.
 */
export function arrivalMs({ received }: Receiver, since: number): number[] {
  const arrived = received.slice(since).filter(({ path }) => path === "/");
  return arrived.map(
    ({ body, atMs }) => atMs - Date.parse((JSON.parse(body) as { created: string }).created),
  );
}
