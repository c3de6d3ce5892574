"use server";

import type { SetupCreate } from "#contract/account.ts";
import type { GatewayResult } from "@/lib/gateway/result";
import { setUpGateway, userToken } from "@/lib/server/gateway/sign-in";
import { startSession } from "@/lib/server/session";

/** Makes the owner and signs this browser in. The one-time token proves who may. */
export async function setUp(body: SetupCreate): Promise<GatewayResult<null>> {
  const result = await setUpGateway({
    setup_token: String(body.setup_token),
    name: String(body.name),
    email: String(body.email),
    password: String(body.password),
  });
  if (!result.ok) return result;
  await startSession(userToken(result.data));
  return { ok: true, data: null };
}
