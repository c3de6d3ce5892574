"use server";

import { redirect } from "next/navigation";
import { endGatewaySession } from "@/lib/server/gateway/sign-in";
import { endSession, sessionToken } from "@/lib/server/session";

/** Ends the session at the gateway and in this browser. */
export async function signOut(): Promise<void> {
  const token = await sessionToken();
  if (token) await endGatewaySession(token);
  await endSession();
  redirect("/sign-in");
}
