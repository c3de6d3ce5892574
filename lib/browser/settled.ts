import { unstable_rethrow } from "next/navigation";
import { type GatewayResult, localFailure } from "../gateway/result.ts";
import { isStaleDeploy } from "./stale-deploy.ts";

/**
 * The answer of a server action. One that could not even be called, because the connection is gone or the console was
 * renewed since, becomes a failure with its mend instead of an exception that nobody sees.
 */
export async function settled<Data>(call: Promise<GatewayResult<Data>>): Promise<GatewayResult<Data>> {
  try {
    return await call;
  } catch (error) {
    unstable_rethrow(error);
    console.warn("action failed", error);
    return {
      ok: false,
      error: isStaleDeploy(error)
        ? localFailure("console_renewed", "The console was renewed since this page was opened.")
        : localFailure("offline", "The console cannot be reached. Check the connection and try again."),
    };
  }
}
