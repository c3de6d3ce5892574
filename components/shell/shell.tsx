"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useAccess } from "@/components/team/access";
import { PageGate } from "@/components/team/page-gate";
import { Link } from "@/components/ui/page/link";
import type { ActionResult } from "@/lib/gateway/result";
import type { SessionView } from "@/lib/session-view";
import type { OwnAccount } from "./account-switcher.tsx";
import { InstanceStrip } from "./instance-strip.tsx";
import { Mark } from "./mark.tsx";
import { Notices } from "./notices.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { RailLinks, useInInstance } from "./rail.tsx";
import { RegionHealth } from "./region-health.tsx";
import { TopBar } from "./top-bar.tsx";
import { useRecentPlaces } from "./use-recent-places.ts";
import { useSession } from "./use-session.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const CommandPalette = dynamic(
  () => import("./command-palette.tsx").then((module) => module.CommandPalette),
  { ssr: false },
);
const ShortcutSheet = dynamic(() => import("./shortcut-sheet.tsx").then((module) => module.ShortcutSheet), {
  ssr: false,
});

const SecondFactorNotice = dynamic(
  () => import("./second-factor-notice.tsx").then((module) => module.SecondFactorNotice),
  { loading: () => null },
);

const DeletionNotice = dynamic(
  () => import("./deletion-notice.tsx").then((module) => module.DeletionNotice),
  { loading: () => null },
);

type Overlay = "palette" | "shortcuts";

interface ShellProps {
  session: SessionView;
  accounts: readonly OwnAccount[];
  signOut: () => Promise<void>;
  keepAccount: () => ActionResult<unknown>;
  /** Ids of endpoints that the gateway stopped sending to; null where it cannot list them. */
  stoppedEndpoints: readonly string[] | null;
  /** From when the account requires a second factor that this member has not; null where there is nothing to say. */
  secondFactorFrom: string | null;
  children: ReactNode;
}

/** The frame of every signed-in page: rail, top bar, the page, and what opens over it. */
export function Shell({
  session,
  accounts,
  signOut,
  keepAccount,
  stoppedEndpoints,
  secondFactorFrom,
  children,
}: ShellProps) {
  const { deletion } = useAccess();
  const inInstance = useInInstance();
  useReloadFor(`${session.person} ${session.accountId}`);
  const sessionState = useSession(session.person);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  // Fetched when first wanted, and kept from then on.
  const [wanted, setWanted] = useState<ReadonlySet<Overlay>>(new Set());
  const open = (which: Overlay) => {
    setWanted(new Set([...wanted, which]));
    setOverlay(which);
  };
  const openPalette = () => open("palette");
  const openShortcuts = () => open("shortcuts");
  useRecentPlaces(session);
  useShortcuts({ openPalette, openShortcuts });

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <nav
        aria-label="Pages"
        className={`sticky top-0 flex h-dvh w-[232px] shrink-0 flex-col border-r max-desktop:w-[60px] max-tablet:hidden ${inInstance ? "border-instance-line bg-instance-soft" : "bg-panel"}`}
      >
        <Link href="/" className="flex h-[52px] shrink-0 items-center gap-2.5 px-4 font-semibold">
          <Mark className="size-6 shrink-0" />
          <span className="max-desktop:sr-only">Gatehouse</span>
        </Link>
        <div className="min-h-0 flex-1 overflow-y-auto p-2">
          <RailLinks compact />
        </div>
        <div className={`border-t px-2 py-1.5 ${inInstance ? "border-instance-line" : ""}`}>
          <RegionHealth />
        </div>
      </nav>
      <div className="flex min-w-0 flex-1 flex-col">
        {sessionState === "open" && (
          <TopBar
            session={session}
            accounts={accounts}
            signOut={signOut}
            openPalette={openPalette}
            openShortcuts={openShortcuts}
          />
        )}
        {inInstance && <InstanceStrip />}
        <Notices kind={session.kind} session={sessionState} stoppedEndpoints={stoppedEndpoints} />
        {deletion && <DeletionNotice deletion={deletion} keep={keepAccount} />}
        {secondFactorFrom && <SecondFactorNotice from={secondFactorFrom} />}
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1280px] min-w-0 flex-1 px-4 pt-5 pb-24 outline-none has-data-wide:max-w-none has-data-log:max-w-[1760px] tablet:px-6 tablet:pb-12"
        >
          {/* What was typed stays, but nobody reads it without its session. */}
          <div hidden={sessionState !== "open"}>
            <PageGate>{children}</PageGate>
          </div>
        </main>
        <PhoneBar />
      </div>
      {wanted.has("palette") && sessionState === "open" && (
        <CommandPalette
          session={session}
          open={overlay === "palette"}
          onOpenChange={(open) => setOverlay(open ? "palette" : null)}
        />
      )}
      {wanted.has("shortcuts") && (
        <ShortcutSheet
          open={overlay === "shortcuts"}
          onOpenChange={(open) => setOverlay(open ? "shortcuts" : null)}
        />
      )}
    </div>
  );
}

/** Another person or account, here or in another tab: nothing of the first one may stay in the page. */
function useReloadFor(whose: string): void {
  const first = useRef(whose);
  useEffect(() => {
    if (first.current !== whose) window.location.reload();
  }, [whose]);
}
