import "server-only";
import { cookies } from "next/headers";
import { type Preferences, parsePreferences, preferencesCookie } from "../preferences.ts";

/** What the visitor has set for this browser. */
export async function visitorsPreferences(): Promise<Preferences> {
  return parsePreferences((await cookies()).get(preferencesCookie)?.value);
}
