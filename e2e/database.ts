import pg from "pg";
import { pino } from "pino";
import { startEmbedded } from "../gateway/platform/database/embedded/embedded.ts";
import type { Stack } from "./stack.ts";

/** For changes that no visitor can make, such as letting a day pass. */
export async function withDatabase<Result>(
  { dataDir }: Stack,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: "silent" });
  const { connection } = await startEmbedded({ dataDir, log, mode: "borrow" });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
