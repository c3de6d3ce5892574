import { unstable_rethrow } from "next/navigation";
import { type Acting, type GatewayResult, localFailure } from "../gateway/result.ts";
import { tellSession } from "./gateway.ts";
import { isStaleDeploy } from "./stale-deploy.ts";

/**
 * The answer of a server action. One that could not even be called, because the connection is gone or
 * a new version was deployed, becomes a failure with advice instead of an unhandled exception.
 */
export async function settled<Data>(call: Acting<Data>): Promise<GatewayResult<Data>> {
  try {
    const answer = await (await call).answer;
    tellSession(answer.ok ? 200 : answer.error.status);
    return answer;
  } catch (error) {
    unstable_rethrow(error);
    console.warn("action failed", error);
    return {
      ok: false,
      error: isStaleDeploy(error)
        ? localFailure("console_renewed", "A new version is available. Reload the page.")
        : localFailure("offline", "The console cannot be reached. Check your connection and try again."),
    };
  }
}
