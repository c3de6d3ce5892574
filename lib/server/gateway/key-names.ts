import "server-only";
import { requestRoute } from "./request.ts";

/** For each kind; older ones are shown by id. */
const maxNames = 100;

/** The names of keys and connections (which are keys too), by id. */
export async function getKeyNames(): Promise<Record<string, string>> {
  const query = { limit: maxNames };
  const [keys, connections] = await Promise.all([
    requestRoute("GET /keys", { query }),
    requestRoute("GET /connections", { query }),
  ]);
  return {
    ...(keys.ok && Object.fromEntries(keys.data.data.map(({ id, name }) => [id, name]))),
    ...(connections.ok &&
      Object.fromEntries(connections.data.data.map(({ id, client }) => [id, client.name]))),
  };
}
