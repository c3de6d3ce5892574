import { OctagonAlert, ShieldAlert, VolumeX, X } from "lucide-react";
import { useWords } from "#words";
import { IconButton, LinkButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";

/** For a member without a second factor, in the week before the account requires one. */
export function SecondFactorNotice({ from }: { from: string }) {
  const t = useWords("shell");
  return (
    <section
      aria-label={t("secondFactor")}
      className="flex flex-wrap items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6"
    >
      <ShieldAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        {t.rich("secondFactorFrom", {}, { time: () => <Time key="time" value={from} mode="absolute" /> })}
      </p>
      <LinkButton size="sm" href="/settings/profile">
        {t("setOneUp")}
      </LinkButton>
    </section>
  );
}

/** On every page of an installation that sends nothing to other machines. */
export function QuietNotice() {
  const t = useWords("shell");
  return (
    <section
      aria-label={t("quiet")}
      className="flex items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6"
    >
      <VolumeX size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1">
        {t.rich("quietMeans", {}, { code: (content) => <code key="setting">{content}</code> })}
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
  const t = useWords("shell");
  return (
    <div className="flex items-center gap-2 border-b bg-bad-soft px-4 py-2 tablet:px-6">
      <OctagonAlert size={16} aria-hidden className="shrink-0 text-bad" />
      <p className="min-w-0 flex-1">{t("endpointsDisabled", { count })}</p>
      <LinkButton size="sm" href={href}>
        {t("fixEndpoints")}
      </LinkButton>
      <IconButton size="sm" label={t("dismiss")} icon={<X size={14} aria-hidden />} onClick={onPutAway} />
    </div>
  );
}
