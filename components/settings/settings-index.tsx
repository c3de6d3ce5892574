"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";

/** The groups of the settings and their parts, by their ids on the page. */
interface SettingsIndexProps {
  groups: readonly { id: string; title: string; parts: readonly { id: string; title: string }[] }[];
}

/** Links to the parts of the settings, of which the one that is being read is marked. */
export function SettingsIndex({ groups }: SettingsIndexProps) {
  const t = useWords("settings");
  const current = useCurrentPart(groups.flatMap(({ parts }) => parts.map(({ id }) => id)));
  return (
    <nav aria-label={t("index")} className="wide:sticky wide:top-[68px] wide:self-start">
      {/* On narrower screens only the groups are named, in one line. */}
      <ul className="mb-6 flex flex-wrap gap-x-4 gap-y-1 text-table wide:flex-col wide:gap-4">
        {groups.map(({ id, title, parts }) => (
          <li key={id}>
            <a href={`#${id}`} className={`${linkLook} font-semibold`}>
              {title}
            </a>
            <ul className="max-wide:hidden">
              {parts.map((part) => (
                <li key={part.id}>
                  <a
                    href={`#${part.id}`}
                    aria-current={part.id === current ? "location" : undefined}
                    className={`${linkLook} -ml-2.5 border-l-2 border-transparent pl-2 text-muted aria-[current]:border-accent aria-[current]:text-ink`}
                  >
                    {part.title}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const linkLook = "block rounded-control py-1 hover:text-accent hover:underline";
/** Below the top bar, a part counts as read until its end has passed this height. */
const readingLinePx = 140;

function useCurrentPart(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const joined = ids.join(" ");
  useEffect(() => {
    const update = () =>
      setCurrent(
        joined
          .split(" ")
          .find((id) => (document.getElementById(id)?.getBoundingClientRect().bottom ?? 0) > readingLinePx),
      );
    update();
    addEventListener("scroll", update, { passive: true });
    return () => removeEventListener("scroll", update);
  }, [joined]);
  return current;
}
