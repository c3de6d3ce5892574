"use client";

import { Menu as MenuIcon } from "lucide-react";
import { useRef } from "react";
import { Link } from "@/components/ui/page/link";
import { usePlace } from "@/components/ui/page/use-place";
import { isCurrent } from "./navigation.ts";
import { RailLinks, useInInstance } from "./rail.tsx";
import { ShellIcon } from "./shell-icon.tsx";
import { useDestinations } from "./use-destinations.ts";

const pinned = ["/", "/catalog", "/predictions", "/webhooks/deliveries"];

const tabLook =
  "flex min-h-[52px] flex-1 flex-col items-center justify-center gap-0.5 text-meta font-medium text-muted focus-visible:-outline-offset-2! aria-[current=page]:text-accent";

/** Below 720 px: four pages in a bar at the bottom, the rest in a sheet that rises from it. */
export function PhoneBar() {
  const { path: pathname } = usePlace();
  const destinations = useDestinations();
  const inInstance = useInInstance();
  const sheet = useRef<HTMLDivElement>(null);
  return (
    <nav
      aria-label="Pages"
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
            {destination.label}
          </Link>
        ))}
      <button type="button" popoverTarget="all-pages" className={tabLook}>
        <MenuIcon size={18} aria-hidden />
        More
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
