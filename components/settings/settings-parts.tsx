import type { ReactNode } from "react";
import { SettingsIndex } from "./settings-index.tsx";

/** One setting, or a few that belong together. */
export interface SettingsPart {
  /** The part's place in the address, after `#`. */
  id: string;
  title: string;
  description?: string;
  /** Whether `content` needs the card around it. Forms and facts bring their own. */
  inCard?: boolean;
  content: ReactNode;
}

export interface SettingsGroup {
  id: string;
  title: string;
  /** `false` stands for a part that this person or key does not see. */
  parts: readonly (SettingsPart | false)[];
}

/** Parts in groups: what a part is about at the left, what can be set at the right, and an index of all that stays in view. */
export function SettingsParts({ groups }: { groups: readonly SettingsGroup[] }) {
  const shown = groups
    .map(({ parts, ...group }) => ({ ...group, parts: parts.filter((part) => part !== false) }))
    .filter(({ parts }) => parts.length > 0);
  return (
    <div className="gap-x-10 wide:grid wide:grid-cols-[10rem_minmax(0,1fr)]">
      <SettingsIndex
        groups={shown.map(({ id, title, parts }) => ({
          ...{ id, title },
          parts: parts.map((part) => ({ id: part.id, title: part.title })),
        }))}
      />
      <div className="flex min-w-0 flex-col gap-10">
        {shown.map(({ id, title, parts }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-[68px]">
            <h2 id={`${id}-title`} className="mb-3 text-title leading-7 font-semibold">
              {title}
            </h2>
            {parts.map((part) => (
              <Part key={part.id} {...part} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function Part({ id, title, description, inCard, content }: SettingsPart) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-[60px] gap-x-8 gap-y-2 border-t py-5 desktop:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <h3 id={`${id}-title`} className="font-semibold">
          {title}
        </h3>
        {description && <p className="text-table text-muted">{description}</p>}
      </div>
      <div className={inCard ? "min-w-0 rounded-panel border bg-panel p-4" : "min-w-0"}>{content}</div>
    </section>
  );
}
