import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import { deletion, isFullBatch } from "#gateway/platform/database/row-sweep.ts";

const due = "interval '10 minutes'";

/** Removes consents for which no client fetched the code: no token was issued, so their key is deleted. */
export const unusedConnectionSweep: Sweep = {
  kind: "unused_connections",
  run: async ({ database }) =>
    isFullBatch(
      await database.pool.query(
        deletion(
          "api_keys",
          `id in (select key_id from connections where code_used_at is null and code_expires_at < now() - ${due})`,
        ),
      ),
    ),
  oldestDue: () => `select min(code_expires_at) + ${due} from connections where code_used_at is null`,
};
