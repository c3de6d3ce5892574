import type { RequestDetail } from "#contract/usage.ts";
import { useWords } from "#words";
import { classNames } from "@/components/ui/looks";
import { Section } from "@/components/ui/page/section";
import { formatDuration } from "@/lib/format";
import { courseOf, type Phase } from "@/lib/requests/request-course";

const bars: Record<Phase["kind"], string> = {
  gateway: "bg-(--muted)",
  failed: "bg-(--bad)",
  provider: "bg-(--accent-fill)",
  stream: "bg-(--good)",
};

/** Where a request's time went: one line for each phase and each try at a provider, on one axis. */
export function RequestCourse({ request }: { request: RequestDetail }) {
  const t = useWords("requests");
  const all = Math.max(1, request.duration_ms);
  return (
    <Section
      title={t("howItWent")}
      actions={
        <span className="tabular text-table text-muted">
          {t("inAllTime", { duration: formatDuration(request.duration_ms, t.language) })}
        </span>
      }
    >
      <ol
        aria-label={t("howItWent")}
        className="flex flex-col gap-2 rounded-panel border bg-panel px-4 py-3 text-table"
      >
        {courseOf(t, request).map(({ id, name, where, failure, next, fromMs, ms, kind }) => (
          <li key={id}>
            <p className="flex items-baseline gap-x-2">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className={kind === "gateway" || kind === "stream" ? undefined : "font-medium"}>
                  {name}
                </span>
                {failure && <code className="ml-2 text-bad">{failure}</code>}
              </span>
              <span className="tabular shrink-0">{formatDuration(ms, t.language)}</span>
            </p>
            <div aria-hidden className="my-1 h-1.5 rounded-full bg-sunken">
              <div
                data-swatch
                className={classNames("h-full min-w-0.5 rounded-full", bars[kind])}
                style={{
                  marginLeft: `${Math.min(99, (fromMs / all) * 100)}%`,
                  width: `${(ms / all) * 100}%`,
                }}
              />
            </div>
            {(where || next) && (
              <p className="text-meta text-muted wrap-anywhere">
                {where}
                {where && next && " · "}
                {next}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
