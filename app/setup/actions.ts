"use server";

import type { SetupCreate } from "#contract/accounts/account.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { currentVisitor, sessionTokenFrom, setUpGateway } from "@/lib/server/gateway/sign-in";
import { startSession } from "@/lib/server/session";

/** Creates the owner and signs this browser in. The one-time token authorises this. */
export async function setUp(body: SetupCreate): Promise<GatewayResult<null>> {
  const owner = {
    setup_token: String(body.setup_token),
    name: String(body.name),
    email: String(body.email),
    password: String(body.password),
  };
  const result = await setUpGateway(owner, await currentVisitor());
  if (!result.ok) return result;
  await startSession(sessionTokenFrom(result.data));
  return { ok: true, data: null };
}
