import type { ReactNode } from "react";

/** The buttons at the end of a form in a dialog. They stay visible while the fields scroll. */
export function FormActions({ children }: { children: ReactNode }) {
  return (
    <div
      data-form-actions
      className="sticky -bottom-4 z-10 -mx-5 -mb-4 flex flex-wrap justify-end gap-2 border-t bg-raised px-5 py-3"
    >
      {children}
    </div>
  );
}
