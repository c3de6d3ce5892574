import "server-only";
import type { Status } from "#contract/status.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { sendGateway } from "./send.ts";
import { forwarded } from "./sign-in.ts";
import { currentVisitor } from "./visitor.ts";

/** The public status; `route_not_found` if the operator has not enabled it. */
export async function getPublicStatus(): Promise<GatewayResult<Status>> {
  return sendGateway("/public/status", { headers: forwarded(await currentVisitor()) });
}
