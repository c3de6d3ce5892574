"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { RegionList } from "#contract/catalog.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { PageGate } from "@/components/team/page-gate";
import { Link, usePageRouter, usePlace } from "@/components/ui/page/link";
import { callRoute, currentReach, onReach, type Reach } from "@/lib/browser/gateway";
import { isPartWaiting, onPartWaiting } from "@/lib/browser/late-scripts";
import { rememberPlace } from "@/lib/browser/recent-places";
import { beginPageOf, onSessionState, type SessionState, sessionState } from "@/lib/browser/session";
import { watchSession } from "@/lib/browser/watch-session";
import type { Unread } from "@/lib/notices/unread";
import type { SessionView } from "@/lib/person";
import { queryKeys } from "@/lib/query-keys";
import { type StoppedEndpoints, stoppedOf, stoppedQuery } from "@/lib/webhooks/stopped-endpoints";
import { listText } from "@/lib/words/list-text";
import { betweenSentences } from "@/messages/marks";
import type { Words } from "@/messages/words";
import type { OwnAccount } from "./account-switcher.tsx";
import { isCurrent, useDestinations } from "./navigation.ts";
import { titleSuffix } from "./page-name.ts";
import { RailLinks, railRow, useInInstance } from "./rail.tsx";
import { Mark, ShellIcon, type ShellIconName } from "./shell-icon.tsx";
import { TopBar } from "./top-bar.tsx";
import { keepTypedAhead } from "./typed-ahead.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useStayWhileOffline } from "./use-stay-while-offline.ts";

const ShortcutSheet = dynamic(() => import("./shortcut-sheet.tsx").then((module) => module.ShortcutSheet), {
  ssr: false,
});

const QuietNotice = dynamic(() => import("./account-notices.tsx").then((module) => module.QuietNotice), {
  loading: () => null,
});

const SecondFactorNotice = dynamic(
  () => import("./account-notices.tsx").then((module) => module.SecondFactorNotice),
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
  /** Health of the regions and unread notices when the page was rendered. Null if they could not be read. */
  regions: RegionList | null;
  unread: Unread | null;
  /** Endpoints to which the gateway stopped sending. Null if it cannot list them. */
  stoppedEndpoints: StoppedEndpoints | null;
  /** When the account will require a second factor that this member does not have. Otherwise null. */
  secondFactorFrom: string | null;
  children: ReactNode;
}

const SessionEnded = dynamic(() => import("./session-ended.tsx").then((module) => module.SessionEnded), {
  ssr: false,
});

/** Loaded only when needed. */
const StoppedNotice = dynamic(() => import("./account-notices.tsx").then((module) => module.StoppedNotice), {
  loading: () => null,
});

/** In this file because every page loads it. The words for unknown ids are loaded only when something is missing. */
export const LazyMissing = dynamic(() => import("./missing.tsx").then((module) => module.Missing), {
  loading: () => null,
});

/** The frame of every signed-in page: rail, top bar, the page, and overlays. */
export function Shell({
  session,
  accounts,
  signOut,
  regions,
  unread,
  stoppedEndpoints,
  secondFactorFrom,
  children,
}: ShellProps) {
  const t = useWords("shell");
  const { deletion, quiet } = useAccess();
  const inInstance = useInInstance();
  useReloadFor(`${session.person} ${session.accountId}`);
  const sessionState = useSession(session.person);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const { Palette, requestPalette } = usePalette();
  const openPalette = () => {
    if (sessionState !== "open") return keepTypedAhead().stop();
    keepTypedAhead().start();
    requestPalette();
    setOverlay("palette");
  };
  useTypedAhead(openPalette, () => setOverlay(null));
  // Once opened it stays mounted.
  const [hasShortcuts, setHasShortcuts] = useState(false);
  const openShortcuts = () => {
    setHasShortcuts(true);
    setOverlay("shortcuts");
  };
  useRecentPlaces(session);
  useShortcuts({ openPalette, openShortcuts });

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        {t("skipToContent")}
      </a>
      <nav
        aria-label={t("pages")}
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
          <RegionHealth initial={regions} />
        </div>
      </nav>
      <div className="flex min-w-0 flex-1 flex-col">
        {sessionState === "open" && (
          <TopBar
            session={session}
            accounts={accounts}
            signOut={signOut}
            unread={unread}
            openPalette={openPalette}
            openShortcuts={openShortcuts}
          />
        )}
        {inInstance && <InstanceStrip />}
        {quiet && <QuietNotice />}
        <Notices kind={session.kind} session={sessionState} stoppedEndpoints={stoppedEndpoints} />
        {deletion && <DeletionNotice deletion={deletion} />}
        {secondFactorFrom && <SecondFactorNotice from={secondFactorFrom} />}
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1280px] min-w-0 flex-1 px-4 pt-5 pb-24 outline-none has-data-wide:max-w-none has-data-log:max-w-[1760px] tablet:px-6 tablet:pb-12"
        >
          {/* The page stays mounted, so that typed text is not lost, but it is hidden without a session. */}
          <div hidden={sessionState !== "open"}>
            <PageGate>{children}</PageGate>
          </div>
        </main>
        <PhoneBar />
      </div>
      {Palette && sessionState === "open" && (
        <Palette
          session={session}
          accounts={accounts}
          signOut={signOut}
          openShortcuts={openShortcuts}
          open={overlay === "palette"}
          onOpenChange={(open) => setOverlay(open ? "palette" : null)}
        />
      )}
      {hasShortcuts && (
        <ShortcutSheet
          open={overlay === "shortcuts"}
          onOpenChange={(open) => setOverlay(open ? "shortcuts" : null)}
        />
      )}
    </div>
  );
}

interface NoticesProps {
  /** How the visitor signed in. */
  kind: SessionView["kind"];
  session: SessionState;
  stoppedEndpoints: StoppedEndpoints | null;
}

/**
 * Notices on every page: the connection or gateway is down, an endpoint was stopped, the session has ended.
 */
function Notices({ kind, session, stoppedEndpoints }: NoticesProps) {
  const t = useWords("shell");
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  );
  useStayWhileOffline(!online);
  const reach = useReach();
  const isWaiting = useSyncExternalStore(onPartWaiting, isPartWaiting, () => false);
  return (
    <div role="status" className={isWaiting ? "sticky top-[52px] z-20" : ""}>
      {!online && (
        <p className="flex items-center gap-2 border-b bg-warn-soft px-4 py-2 tablet:px-6">
          <ShellIcon name="wifi-off" size={16} className="text-warn" />
          {t("offline")}
          {betweenSentences(t.language)}
          {isWaiting ? t("offlineWaiting") : t("offlineShown")}
        </p>
      )}
      {online && (reach !== "reached" || isWaiting) && (
        <p className="flex items-center gap-2 border-b bg-bad-soft px-4 py-2 tablet:px-6">
          <ShellIcon name="server-off" size={16} className="text-bad" />
          {t("unreachable", { what: reach === "no-gateway" ? "gateway" : "console" })}
          {betweenSentences(t.language)}
          {isWaiting ? t("unreachableWaiting") : t("unreachableShown")}
        </p>
      )}
      {session === "open" && <DisabledEndpoints initial={stoppedEndpoints} />}
      {session !== "open" && <SessionEnded kind={kind} state={session} />}
    </div>
  );
}

function watchConnection(onChange: () => void): () => void {
  window.addEventListener("online", onChange);
  window.addEventListener("offline", onChange);
  return () => {
    window.removeEventListener("online", onChange);
    window.removeEventListener("offline", onChange);
  };
}

const askAgainMs = 2_000;

/**
 * Whether the gateway can be reached. While it cannot, the page tries again, and reloads when the gateway
 * answers.
 */
function useReach(): Reach {
  const reach = useSyncExternalStore(onReach, currentReach, () => "reached" as const);
  const router = usePageRouter();
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (reach === "reached") {
      if (!wasAway.current) return;
      wasAway.current = false;
      router.refresh();
      return void queries.invalidateQueries();
    }
    wasAway.current = true;
    const timer = setInterval(() => void callRoute("GET /account"), askAgainMs);
    return () => clearInterval(timer);
  }, [reach, router, queries]);
  return reach;
}

const askEveryMs = 60_000;

const noneStopped: StoppedEndpoints = { ids: [], count: 0 };

/**
 * Warns on every page that the gateway stopped sending to endpoints. `initial` lets the first paint reserve
 * the space; it is null if the gateway cannot list endpoints. After the user dismisses the warning, it stays
 * hidden until another endpoint stops.
 */
function DisabledEndpoints({ initial }: { initial: StoppedEndpoints | null }) {
  const { path: pathname } = usePlace();
  const [putAway, setPutAway] = useState(noneStopped);
  const { data } = useQuery({
    queryKey: queryKeys.endpoints({ stopped: true }),
    queryFn: async () =>
      stoppedOf(await callRoute("GET /webhooks/endpoints", { query: stoppedQuery })) ?? noneStopped,
    enabled: initial !== null,
    initialData: initial ?? noneStopped,
    refetchInterval: askEveryMs,
    staleTime: askEveryMs,
  });
  const { ids, count } = data;
  const path = count === 1 ? `/webhooks/endpoints/${ids[0]}` : "/webhooks/endpoints";
  // Home and the endpoints' own pages show this in more detail.
  const isShownElsewhere = pathname === "/" || pathname === path;
  const isPutAway = count <= putAway.count && ids.every((id) => putAway.ids.includes(id));
  if (count === 0 || isShownElsewhere || isPutAway) return null;
  const href = count === 1 ? path : `${path}?status=auto-disabled`;
  return <StoppedNotice count={count} href={href} onPutAway={() => setPutAway(data)} />;
}

const loadPalette = () => import("./command-palette.tsx").then((module) => module.CommandPalette);

/**
 * The palette, null until its script is loaded: when the page has loaded and the browser is idle (not for
 * people who save data), or by `requestPalette`. It is not `dynamic`, because React shows a part that it
 * waited for 300 ms later, and it is rendered although closed, so that its first opening takes no longer.
 */
function usePalette() {
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>> | null>(null);
  const load = useCallback(async () => {
    const part = await loadPalette();
    setPalette(() => part);
  }, []);
  const requestPalette = () => {
    // Thrown by an update, the error reaches the error page, which offers to load the page again.
    load().catch((error) => {
      keepTypedAhead().stop();
      setPalette(() => {
        throw error;
      });
    });
  };
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    const whenIdle = window.requestIdleCallback ?? window.setTimeout;
    const start = () => void whenIdle(() => void load().catch(() => {}));
    if (document.readyState === "complete") return start();
    window.addEventListener("load", start, { once: true });
    return () => window.removeEventListener("load", start);
  }, [load]);
  return { Palette, requestPalette };
}

/** Opens the palette if Ctrl K was pressed before the page worked. Esc cancels the opening. */
function useTypedAhead(open: () => void, onEscape: () => void): void {
  const first = useRef({ open, onEscape });
  useEffect(() => {
    const keys = keepTypedAhead();
    keys.onEscape = first.current.onEscape;
    if (keys.isOn) first.current.open();
  }, []);
}

/**
 * Reloads when the person or account changes, here or in another tab, so that no data of the first one stays
 * in the page.
 */
function useReloadFor(whose: string): void {
  const first = useRef(whose);
  useEffect(() => {
    if (first.current !== whose) window.location.reload();
  }, [whose]);
}

/** Whether the page's session is still open. When it is open again, the page continues. */
function useSession(person: string): SessionState {
  useState(() => typeof window !== "undefined" && beginPageOf(person));
  const state = useSyncExternalStore(onSessionState, sessionState, () => "open" as const);
  useEffect(watchSession, []);

  const router = usePageRouter();
  const queries = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== "open" && state === "open") {
      router.refresh();
      void queries.invalidateQueries();
    }
    before.current = state;
  }, [state, router, queries]);
  return state;
}

/**
 * Stores the pages that this person opened last, for the palette. A page's title is set shortly after its
 * address.
 */
function useRecentPlaces({ person, accountId }: Pick<SessionView, "person" | "accountId">): void {
  const { path } = usePlace();
  useEffect(() => {
    rememberPlace(person, accountId, path);
    const titled = () => {
      if (document.title.endsWith(titleSuffix))
        rememberPlace(person, accountId, path, { title: document.title.slice(0, -titleSuffix.length) });
    };
    const observer = new MutationObserver(titled);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [person, accountId, path]);
}

const refreshMs = 60_000;

/** Health of the regions at the foot of the rail, updated every minute. */
function RegionHealth({ initial }: { initial: RegionList | null }) {
  const { data } = useQuery({
    queryKey: queryKeys.regions(),
    queryFn: () => callRoute("GET /regions"),
    ...(initial && { initialData: { ok: true, data: initial } as const }),
    refetchInterval: refreshMs,
    staleTime: refreshMs,
  });
  const { text, tone, icon } = summary(useWords("shell"), data?.ok ? data.data : null, data !== undefined);
  return (
    <Link
      href="/status-and-regions"
      title={text}
      className={`${railRow} text-table! font-normal! hover:bg-sunken`}
    >
      <ShellIcon name={icon} size={16} className={tone} />
      <span className="max-desktop:sr-only">{text}</span>
    </Link>
  );
}

function summary(
  t: Words<"shell">,
  regions: RegionList | null,
  answered: boolean,
): { text: string; tone: string; icon: ShellIconName } {
  const serving = regions?.data.filter((region) => region.model_count > 0) ?? [];
  if (serving.length === 0) {
    const isUnknown = answered && regions === null;
    return {
      text: t(isUnknown ? "regionsUnknown" : "regions"),
      tone: isUnknown ? "text-warn" : "text-faint",
      icon: "circle-help",
    };
  }
  const troubled = serving.filter((region) => region.status !== "healthy");
  if (troubled.length === 0)
    return {
      text: t("regionsHealthy", { count: serving.length }),
      tone: "text-good",
      icon: "circle-check",
    };
  const names = listText(
    t.language,
    troubled.map(({ id, status }) => t("regionStatus", { region: id, status })),
    "plain",
  );
  return { text: names, tone: "text-warn", icon: "triangle-alert" };
}

/** A strip above every operators' page, in their colour, because changes there affect everybody. */
function InstanceStrip() {
  const t = useWords("shell");
  return (
    <section
      aria-label={useWords("pages")("instance")}
      className="flex items-center gap-2 border-b border-instance-line bg-instance-soft px-4 py-1 text-table text-instance tablet:px-6"
    >
      <ShellIcon name="server" size={14} className="max-phone:hidden" />
      <p>{t("configureInstance")}</p>
    </section>
  );
}

const pinned = ["/", "/catalog", "/predictions", "/webhooks/deliveries"];

const tabLook =
  "flex min-h-[52px] min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-center text-meta font-medium wrap-anywhere text-muted max-[350px]:tracking-tight focus-visible:-outline-offset-2! aria-[current=page]:text-accent";

/** Below 720 px: four pages in a bar at the bottom, the others in a sheet. */
function PhoneBar() {
  const t = useWords("shell");
  const titles = useWords("pages");
  const { path: pathname } = usePlace();
  const destinations = useDestinations();
  const inInstance = useInInstance();
  const sheet = useRef<HTMLDivElement>(null);
  return (
    <nav
      aria-label={t("pages")}
      className={`fixed inset-x-0 bottom-0 z-30 flex border-t tablet:hidden ${inInstance ? "border-instance-line bg-instance-soft" : "bg-panel"}`}
    >
      {destinations
        .filter((destination) => pinned.includes(destination.href))
        .map((destination) => (
          <Link
            key={destination.href}
            href={destination.href}
            aria-current={isCurrent(destination, pathname) ? "page" : undefined}
            className={tabLook}
          >
            <ShellIcon name={destination.icon} size={18} />
            {titles.text(destination.title)}
          </Link>
        ))}
      <button type="button" popoverTarget="all-pages" className={tabLook}>
        <ShellIcon name="menu" size={18} />
        {t("more")}
      </button>
      <div
        id="all-pages"
        ref={sheet}
        popover="auto"
        className={`fixed inset-x-0 top-auto bottom-0 m-0 max-h-[80dvh] w-full max-w-none overflow-y-auto rounded-t-panel border-t p-3 pb-6 text-ink shadow-float open:appear ${inInstance ? "border-instance-line bg-instance-soft" : "bg-raised"}`}
      >
        <RailLinks onNavigate={() => sheet.current?.hidePopover()} />
      </div>
    </nav>
  );
}
