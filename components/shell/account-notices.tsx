import { OctagonAlert, ShieldAlert, VolumeX, X } from "lucide-react";
import { IconButton, LinkButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";

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

/** On every page of an installation that sends nothing to other machines. */
export function QuietNotice() {
  return (
    <section
      aria-label="Quiet installation"
      className="flex items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6"
    >
      <VolumeX size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        This installation is quiet (<code>GATEHOUSE_QUIET=on</code>): it sends nothing to other machines.
        Deliveries, e-mails, copies and runs at providers wait; only the sandbox runs models.
      </p>
    </section>
  );
}

interface StoppedNoticeProps {
  /** Number of endpoints to which the gateway stopped sending. */
  count: number;
  /** The page on which the endpoints can be fixed. */
  href: string;
  onPutAway: () => void;
}

export function StoppedNotice({ count, href, onPutAway }: StoppedNoticeProps) {
  return (
    <div className="flex items-center gap-2 border-b bg-bad-soft px-4 py-2 tablet:px-6">
      <OctagonAlert size={16} aria-hidden className="shrink-0 text-bad" />
      <p className="min-w-0 flex-1">
        The gateway disabled {formatCount(count, "endpoint")} after too many failures.
      </p>
      <LinkButton size="sm" href={href}>
        Fix the endpoints
      </LinkButton>
      <IconButton size="sm" label="Dismiss message" icon={<X size={14} aria-hidden />} onClick={onPutAway} />
    </div>
  );
}
