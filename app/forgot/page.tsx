import { AuthFrame } from "@/components/auth/auth-frame";
import { ForgotForm } from "@/components/auth/forgot-form";
import { askForReset } from "../sign-in/actions.ts";

export const metadata = { title: "Forgotten password" };

export default function ForgotPage() {
  return (
    <AuthFrame title="Forgot your password?" description="Get a link by e-mail to choose a new one.">
      <ForgotForm ask={askForReset} />
    </AuthFrame>
  );
}
