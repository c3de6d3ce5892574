"use client";

import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { useToast } from "@/components/ui/toast";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { queryKeys } from "@/lib/query-keys";
import { CopyToButton, type CopyToProps } from "./copy-to-button.tsx";
import type { CopyToMenuProps } from "./copy-to-menu.tsx";

const knownForMs = 60_000;
/** The maximum number of destinations of an account. */
const maxDestinations = 20;

/** "Copy to…" beside a file. Hidden for accounts without a destination and for people who may not copy. */
export function CopyTo(props: CopyToProps) {
  const t = useWords("destinations");
  const { may } = useAccess();
  const { toast } = useToast();
  const [Menu, setMenu] = useState<ComponentType<CopyToMenuProps> | null>(null);
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({
    queryKey: queryKeys.destinations({ limit: maxDestinations }),
    queryFn: ({ signal }) => fetchRoute("GET /destinations", { query: { limit: maxDestinations }, signal }),
    enabled: may("copies:make"),
    staleTime: knownForMs,
    retry: false,
  });
  const destinations = data?.data ?? [];
  if (!may("copies:make") || destinations.length === 0) return null;
  // The button keeps the focus until the menu has loaded.
  const open = async () => {
    setBusy(true);
    try {
      const { CopyToMenu } = await import("./copy-to-menu.tsx");
      setMenu(() => CopyToMenu);
    } catch {
      toast({ tone: "bad", title: t("theMenuCouldNotBe") });
    }
    setBusy(false);
  };
  return Menu ? (
    <Menu {...props} destinations={destinations} />
  ) : (
    <CopyToButton name={props.name} aria-haspopup="menu" busy={busy} onClick={open} />
  );
}
