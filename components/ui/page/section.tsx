import { type ReactNode, useId } from "react";
import { classNames } from "../looks.ts";

interface SectionProps {
  title: ReactNode;
  actions?: ReactNode;
  description?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, actions, description, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames("mb-8 min-w-0", className)}>
      <div className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
        {/* On a phone the actions go below a description that they would squeeze. */}
        <div className={classNames("min-w-0 flex-1", description ? "basis-48" : "basis-24")}>
          <h2 id={id} className="text-title leading-7 font-semibold">
            {title}
          </h2>
          {description && <p className="text-table text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
