import "server-only";
import { cookies } from "next/headers";
import { secureCookies } from "./session-cookie.ts";

/** How a sign-in started: with the password, or with a passkey. */
export type Begun = "password" | "passkey";

const names = { password: "gatehouse.second-factor", passkey: "gatehouse.passkey" };
/** Only the sign-in routes receive these cookies. */
const path = "/api/auth";

/** Stores the gateway's ticket for the next step in a cookie that no script can read. */
export async function keepTicket(begun: Begun, ticket: string, expiresAt: string): Promise<void> {
  (await cookies()).set(names[begun], ticket, {
    httpOnly: true,
    sameSite: "strict",
    secure: secureCookies(),
    path,
    expires: new Date(expiresAt),
  });
}

export async function keptTicket(begun: Begun): Promise<string | null> {
  return (await cookies()).get(names[begun])?.value ?? null;
}

export async function dropTicket(begun: Begun): Promise<void> {
  (await cookies()).delete({ name: names[begun], path, secure: secureCookies() });
}
