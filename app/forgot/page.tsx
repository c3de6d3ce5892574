import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ForgotForm } from "@/components/auth/forgot-form";
import { askForReset } from "./actions.ts";

export const metadata: Metadata = { title: "Forgotten password" };

export default function ForgotPage() {
  return (
    <AuthFrame title="Forgot your password?" description="A link to set a new one comes by e-mail.">
      <ForgotForm ask={askForReset} />
    </AuthFrame>
  );
}
