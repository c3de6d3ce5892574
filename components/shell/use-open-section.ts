import { useEffect, useState } from "react";
import type { RailSection } from "@/lib/preferences";
import { usePreferences } from "./preferences.tsx";

interface Choice {
  section: RailSection | null;
  /** The section of the page that was open when the user chose. */
  on: RailSection | null;
}

/**
 * The open section of the rail: the page's, until the user opens another one or closes it. On pages without a
 * section, the one that was open before. Only one is open at a time, so that the rail fits a small window.
 */
export function useOpenSection(current: RailSection | null): {
  open: RailSection | null;
  toggle: (section: RailSection) => void;
} {
  const { preferences, change } = usePreferences();
  const [choice, setChoice] = useState<Choice | null>(null);

  useEffect(() => {
    setChoice(null);
    if (current) change({ railSection: current });
  }, [current, change]);

  const open = choice?.on === current ? choice.section : (current ?? preferences.railSection);
  const toggle = (section: RailSection) => {
    const next = open === section ? null : section;
    setChoice({ section: next, on: current });
    change({ railSection: next });
  };
  return { open, toggle };
}
