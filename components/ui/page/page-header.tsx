import { type ReactNode, useId } from "react";
import { useWords } from "#words";
import { ShellIcon } from "@/components/shell/shell-icon";

interface PageHeaderProps {
  title: ReactNode;
  /** One sentence about the page's purpose. */
  description?: ReactNode;
  actions?: ReactNode;
  /** The action that most people come for. It stays outside the menu of a phone. */
  primary?: ReactNode;
  /** Logs have many columns and use more of a wide window. */
  log?: boolean;
}

/**
 * The page's one `h1`, with its description and actions. The breadcrumb is in the top bar. On a phone,
 * several actions are one menu.
 */
export function PageHeader({ title, description, actions, primary, log }: PageHeaderProps) {
  const t = useWords("ui");
  const id = useId();
  return (
    <header data-log={log || undefined} className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-1">
      <h1 className="control-height flex min-w-0 flex-1 basis-36 items-center text-page font-semibold tracking-[-0.01em] wrap-anywhere">
        {title}
      </h1>
      {actions && (
        <>
          <button
            type="button"
            popoverTarget={id}
            aria-label={t("pageActions")}
            className="folds-button border px-3"
          >
            <ShellIcon name="ellipsis" size={18} />
          </button>
          <div id={id} popover="auto" className="folds">
            {actions}
          </div>
        </>
      )}
      {primary}
      {description && (
        <p className="basis-full text-muted wrap-anywhere">
          <span className="block max-w-[80ch]">{description}</span>
        </p>
      )}
    </header>
  );
}
