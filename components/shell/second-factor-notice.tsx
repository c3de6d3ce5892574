import { ShieldAlert } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";

/** For a member without a second factor, in the week before the account requires one. */
export function SecondFactorNotice({ from }: { from: string }) {
  return (
    <section
      aria-label="Second factor"
      className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6"
    >
      <ShieldAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        This account requires a second factor from <Time value={from} mode="absolute" /> on.
      </p>
      <LinkButton size="sm" href="/settings/profile">
        Set one up
      </LinkButton>
    </section>
  );
}
