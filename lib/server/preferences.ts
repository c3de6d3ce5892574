import "server-only";
import { cookies } from "next/headers";
import { type Preferences, parsePreferences, preferencesCookie } from "../preferences.ts";

/** The visitor's settings for this browser. */
export async function visitorsPreferences(): Promise<Preferences> {
  return parsePreferences((await cookies()).get(preferencesCookie)?.value);
}
