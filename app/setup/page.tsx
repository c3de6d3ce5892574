import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SetupForm } from "@/components/auth/setup-form";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { getSetupState } from "@/lib/server/gateway/sign-in";
import { setUp } from "../sign-in/actions.ts";

export const metadata = { title: "Set up" };

export default async function SetupPage() {
  const setup = await getSetupState();
  // The action that creates the owner renders this page once more. A redirect then would compete with the
  // form, which loads the first steps.
  const isAction = (await headers()).has("next-action");
  if (setup.ok && !setup.data.needed && !isAction) redirect("/sign-in?reason=set-up");
  return (
    <AuthFrame title="Set up Gatehouse" description="Create the first account; you will be its owner.">
      {setup.ok ? <SetupForm setUp={setUp} /> : <ErrorPanel error={setup.error} />}
    </AuthFrame>
  );
}
