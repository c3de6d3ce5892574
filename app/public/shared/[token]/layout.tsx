import type { ReactNode } from "react";
import { WithWords } from "@/app/with-words";
import { Mark } from "@/components/shell/shell-icon";

/** The frame of a shared page. It has no navigation, because most visitors do not use this console. */
export default function SharedLayout({ children }: { children: ReactNode }) {
  return (
    <WithWords parts={["publicPages", "media", "shares", "ui"]}>
      <div className="mx-auto max-w-[1280px] px-4 py-6">
        <header className="mb-6 flex items-center gap-2.5 text-title font-semibold">
          <Mark className="size-7" />
          Gatehouse
        </header>
        <main>{children}</main>
      </div>
    </WithWords>
  );
}
