import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { SetupForm } from "@/components/auth/setup-form";
import { ErrorPanel } from "@/components/ui/error-panel";
import { getSetupState } from "@/lib/server/gateway/sign-in";
import { setUp } from "./actions.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage() {
  const setup = await getSetupState();
  if (setup.ok && !setup.data.needed) redirect("/sign-in");
  return (
    <AuthFrame
      title="Set up Gatehouse"
      description="This gateway has no owner yet. Open the one-time link shown in its terminal at the first start, or paste the token from it."
    >
      {setup.ok ? <SetupForm setUp={setUp} /> : <ErrorPanel error={setup.error} />}
    </AuthFrame>
  );
}
