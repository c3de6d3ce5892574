import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth/auth-frame";
import { EmailView } from "@/components/auth/email-view";
import { confirmEmail, lookAtEmailChange } from "../sign-in/actions.ts";

export const metadata: Metadata = { title: "New e-mail address", referrer: "no-referrer" };

export default function EmailPage() {
  return (
    <AuthFrame
      title="Confirm your e-mail address"
      description="Use the link that was sent to your new address."
    >
      <EmailView look={lookAtEmailChange} confirm={confirmEmail} />
    </AuthFrame>
  );
}
