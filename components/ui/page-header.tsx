import { ChevronRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

interface Crumb {
  label: string;
  href: string;
}

interface PageHeaderProps {
  title: ReactNode;
  /** One sentence: what the page is for. */
  description?: ReactNode;
  actions?: ReactNode;
  /** The pages above this one, outermost first. */
  breadcrumb?: readonly Crumb[];
}

/** The page's one `h1`, with what it is for and what can be done. */
export function PageHeader({ title, description, actions, breadcrumb }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-end gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-[320px]">
        {breadcrumb && breadcrumb.length > 0 && (
          <nav aria-label="Breadcrumb" className="mb-1">
            <ol className="flex flex-wrap items-center gap-1 text-table text-muted">
              {breadcrumb.map((crumb) => (
                <li key={crumb.href} className="inline-flex items-center gap-1">
                  <Link href={crumb.href} className="hover:text-ink hover:underline">
                    {crumb.label}
                  </Link>
                  <ChevronRight size={13} aria-hidden />
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="text-page font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
        {description && <p className="mt-0.5 max-w-[80ch] text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
