import "server-only";
import type { Status } from "#contract/status.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import { sendGateway } from "./send.ts";
import { forwarded } from "./sign-in.ts";
import { currentVisitor } from "./visitor.ts";

/** What the gateway tells everybody of how it does; `route_not_found` where its operator does not want that. */
export async function getPublicStatus(): Promise<GatewayResult<Status>> {
  return sendGateway("/public/status", { headers: forwarded(await currentVisitor()) });
}
