import type { Config } from "#gateway/platform/core/config.ts";
import {
  BlockedAddressError,
  createGuardedAgent,
  NameNotResolvedError,
} from "#gateway/platform/network/address-guard.ts";
import { exchange } from "#gateway/platform/network/exchange.ts";
import { assertMayLeave } from "#gateway/platform/network/quiet.ts";

const totalMs = 5_000;

/** Why a document could not be read. The message completes "The address …". */
export class DocumentError extends Error {}

/**
 * The JSON text that somebody publishes at a checked address, fetched through the address guard, without redirects. Uses
 * the settings of webhooks: ports, private networks, authorities. Throws `DocumentError`.
 */
export async function readPublicJson(
  url: URL,
  { ports, allowCidrs, caFile }: Config["webhooks"],
  maxBytes: number,
): Promise<string> {
  assertMayLeave();
  const agent = createGuardedAgent({ ports, allowCidrs, caFile, connectTimeoutMs: totalMs });
  try {
    const { answer, chunks } = exchange(
      agent,
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "gatehouse" },
      },
      { maxBytes, refuseLarger: true, totalMs },
    );
    const { status, headers, truncated } = await answer;
    if (status !== 200) throw new DocumentError(`answered ${status} instead of a document`);
    if (truncated) throw new DocumentError(`answers with more than ${maxBytes} bytes`);
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(String(headers["content-type"] ?? "")))
      throw new DocumentError("does not answer with JSON");
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    if (error instanceof BlockedAddressError || error instanceof NameNotResolvedError)
      throw new DocumentError("does not lead to a public address", { cause: error });
    throw new DocumentError("could not be read", { cause: error });
  } finally {
    await agent.destroy();
  }
}
