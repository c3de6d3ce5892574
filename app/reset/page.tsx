import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ResetView } from "@/components/auth/reset-view";
import { lookAtReset, setPassword } from "../sign-in/actions.ts";

export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

export default function ResetPage() {
  return (
    <AuthFrame title="Choose a new password" description="Use the one-time link that somebody sent you.">
      <ResetView look={lookAtReset} setPassword={setPassword} />
    </AuthFrame>
  );
}
