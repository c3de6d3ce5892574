import type { ReactNode } from "react";
import { Mark } from "@/components/shell/shell-icon";

interface AuthFrameProps {
  /** The language of everything in it. */
  language?: string;
  title: string;
  description: string;
  children: ReactNode;
  foot?: ReactNode;
}

/** The plain page around the forms for signing in and setting up. */
export function AuthFrame({ language = "en", title, description, children, foot }: AuthFrameProps) {
  return (
    <main lang={language} className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-2.5 text-title font-semibold">
        <Mark className="size-7" />
        Gatehouse
      </div>
      <div className="w-full max-w-[400px] rounded-panel border bg-panel p-6">
        <h1 className="text-page font-semibold tracking-[-0.01em]">{title}</h1>
        <p className="mb-5 text-muted">{description}</p>
        {children}
      </div>
      {foot}
    </main>
  );
}

/** A line between two ways to sign in. */
export function OrDivider({ children }: { children: string }) {
  return (
    <p className="my-4 flex items-center gap-3 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  );
}
