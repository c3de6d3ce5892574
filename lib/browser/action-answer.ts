import { unstable_rethrow } from "next/navigation";
import {
  type ActionResult,
  type GatewayFailure,
  type GatewayResult,
  localFailure,
} from "../gateway/result.ts";
import { reportFailure, signedInAsAnother } from "./gateway.ts";
import { AnotherPersonError, recordSession } from "./session.ts";
import { isStaleDeploy } from "./stale-deploy.ts";

/**
 * Waits for a server action. If the browser could not call the action at all, because the connection broke or
 * a new version was deployed, the result is a failure with advice instead of an exception.
 */
export async function answerOf<Data>(call: ActionResult<Data>): Promise<GatewayResult<Data>> {
  const answer = await answerOutsideSession(call.then((started) => started.answer));
  if (answer.ok) recordSession(200);
  else if (answer.error.code === "signed_out") recordSession(401);
  else if (answer.error.code === signedInAsAnother.code) recordSession(409);
  else reportFailure(answer.error);
  return answer;
}

/**
 * Like `answerOf`, for an action that needs no session. Such an action sets the session cookie, so its result
 * arrives only when the action has finished.
 */
export async function answerOutsideSession<Data>(
  call: Promise<GatewayResult<Data>>,
): Promise<GatewayResult<Data>> {
  try {
    return await call;
  } catch (error) {
    unstable_rethrow(error);
    if (error instanceof AnotherPersonError) return { ok: false, error: signedInAsAnother };
    console.warn("action failed", error);
    return {
      ok: false,
      error: isStaleDeploy(error)
        ? localFailure("console_renewed", "A new version is available. Reload the page.")
        : localFailure("offline", "The console cannot be reached. Check your connection and try again."),
    };
  }
}

/** Waits for a server action: null after `done` got its answer, otherwise its failure. */
export async function settle<Data>(
  call: ActionResult<Data>,
  done: (data: Data) => void,
): Promise<GatewayFailure | null> {
  const answer = await answerOf(call);
  if (!answer.ok) return answer.error;
  done(answer.data);
  return null;
}
