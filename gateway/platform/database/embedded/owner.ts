import pg from "pg";

/**
 * The advisory lock held by the owner of an embedded server; it ends with its connection, even at kill -9.
 */
const ownerLock = 4_747_001;
const connectTimeoutMs = 5_000;
const namePrefix = "gatehouse owner, process ";

export interface Claim {
  /** Resolves when the connection that holds the claim ends. */
  lost: Promise<void>;
  /** Connections that the server admits. */
  connections: number;
  release(): Promise<void>;
}

type Answer =
  | ({ state: "won" } & Claim)
  | { state: "held"; holder: string }
  /** Its socket no longer exists, so nothing can use the server. */
  | { state: "gone" }
  | { state: "silent"; reason: string };

/** Tries to become the owner of a running server; `holder` names the current owner. */
export async function claimServer(connection: {
  host: string;
  user: string;
  database: string;
}): Promise<Answer> {
  const client = new pg.Client({
    ...connection,
    application_name: `${namePrefix}${process.pid}`,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  client.on("error", () => {}); // The connection's `end` event reports the failure.
  try {
    await client.connect();
    const answer = await client.query<{ won: boolean; connections: number }>(
      "select pg_try_advisory_lock($1) as won, current_setting('max_connections')::int as connections",
      [ownerLock],
    );
    const { won, connections = 0 } = answer.rows[0] ?? {};
    if (won) return { state: "won", lost, connections, release: () => client.end() };
    const holder = await holderOf(client);
    await client.end();
    return { state: "held", holder };
  } catch (error) {
    await client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ECONNREFUSED"
      ? { state: "gone" }
      : { state: "silent", reason: message };
  }
}

async function holderOf(client: pg.Client): Promise<string> {
  const answer = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [ownerLock],
  );
  return answer.rows[0]?.name.replace(namePrefix, "process ") ?? "just ending";
}
