import type { ReactNode } from "react";
import { Shell } from "@/components/shell/shell";
import { requireSession } from "@/lib/server/session";
import { signOut } from "../sign-in/actions.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession();
  return (
    <Shell session={session} signOut={signOut}>
      {children}
    </Shell>
  );
}
