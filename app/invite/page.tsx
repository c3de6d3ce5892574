import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth/auth-frame";
import { InviteView } from "@/components/auth/invite-view";
import { currentSession } from "@/lib/server/session";
import { joinAsNew, joinAsSignedIn, lookAtInvitation } from "./actions.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

export default async function InvitePage() {
  const session = await currentSession();
  return (
    <AuthFrame title="Join an account" description="Somebody invited you to their gateway's console.">
      <InviteView
        signedInAs={session?.email ?? null}
        look={lookAtInvitation}
        joinAsNew={joinAsNew}
        joinAsSignedIn={joinAsSignedIn}
      />
    </AuthFrame>
  );
}
