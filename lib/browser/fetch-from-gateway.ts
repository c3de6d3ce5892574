import type { AnswerOf, ArgumentsOf, PageRoute } from "#contract/routes/client.ts";
import { type GatewayFailure, type GatewayResult, localFailure } from "../gateway/result.ts";
import { callRoute, type Extras } from "./gateway.ts";

/** react-query expects exceptions. `failure` has the gateway's failure. */
export class GatewayCallError extends Error {
  readonly failure: GatewayFailure;

  constructor(failure: GatewayFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Like `callRoute`, but throws `GatewayCallError`, as the function of a query must. */
export async function fetchRoute<Name extends PageRoute>(
  route: Name,
  ...call: ArgumentsOf<Name, Extras>
): Promise<AnswerOf<Name>> {
  return orThrow(await callRoute(route, ...call));
}

/** Returns the data; throws `GatewayCallError` for a failure. */
export function orThrow<Data>(answer: GatewayResult<Data>): Data {
  if (!answer.ok) throw new GatewayCallError(answer.error);
  return answer.data;
}

/** The gateway's failure behind a query's error. Null: the error is of another kind. */
export function failureBehind(error: Error | null): GatewayFailure | null {
  if (error === null) return null;
  if (error instanceof GatewayCallError) return error.failure;
  return localFailure("console_error", error.message);
}
