import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { SaveEverything } from "@/components/predictions/save-everything";
import { LinkButton } from "@/components/ui/button";
import type { Need } from "./needs.ts";

/** Problems that a person must fix, each with its button; one line when there are none. */
export function NeedsYou({ needs }: { needs: readonly Need[] }) {
  if (needs.length === 0)
    return (
      <p className="mb-6 flex items-center gap-2 text-muted">
        <CircleCheck size={16} aria-hidden className="text-good" />
        No problems right now.
      </p>
    );
  return (
    <section aria-label="Needs attention" className="mb-6">
      <ul className="overflow-hidden rounded-panel border bg-panel">
        {needs.map(({ key, tone, title, detail, action, saves }) => {
          const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
          return (
            <li
              key={key}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-3 last:border-b-0"
            >
              <Icon size={18} aria-hidden className={tone === "bad" ? "text-bad" : "text-warn"} />
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium wrap-anywhere">{title}</p>
                <p className="text-table text-muted wrap-anywhere">{detail}</p>
              </div>
              {saves && <SaveEverything predictions={saves} size="sm" />}
              <LinkButton size="sm" href={action.href}>
                {action.label}
              </LinkButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
