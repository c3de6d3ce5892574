import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth/auth-frame";
import { InviteView } from "@/components/auth/invite-view";
import { getIdentityProvider } from "@/lib/server/gateway/sign-in";
import { currentSession } from "@/lib/server/session";
import { joinAsNew, joinAsSignedIn, joinWithProvider, lookAtInvitation } from "../sign-in/actions.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

export default async function InvitePage() {
  const [session, provider] = await Promise.all([currentSession(), getIdentityProvider()]);
  return (
    <AuthFrame title="Join an account" description="Somebody invited you to work with them in Gatehouse.">
      <InviteView
        session={session}
        look={lookAtInvitation}
        joinAsNew={joinAsNew}
        joinAsSignedIn={joinAsSignedIn}
        providerName={provider.ok ? provider.data.name : null}
        joinWithProvider={joinWithProvider}
      />
    </AuthFrame>
  );
}
