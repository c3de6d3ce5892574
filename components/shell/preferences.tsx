"use client";

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import {
  defaultPreferences,
  displayZone,
  type Preferences,
  preferencesCookie,
  preferencesMaxAgeSeconds,
  serialisePreferences,
} from "@/lib/preferences";

interface PreferencesValue {
  preferences: Preferences;
  /** The IANA zone of displayed times. */
  timeZone: string;
  change(next: Partial<Preferences>): void;
}

const PreferencesContext = createContext<PreferencesValue>({
  preferences: defaultPreferences,
  timeZone: "UTC",
  change: () => {},
});

/**
 * Provides theme, time zone, density and shortcut settings. `initial` comes from the cookie, so that the
 * first paint is correct.
 */
export function PreferencesProvider({ initial, children }: { initial: Preferences; children: ReactNode }) {
  const [preferences, setPreferences] = useState(initial);

  useEffect(() => {
    const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setPreferences((current) => (current.localZone === localZone ? current : { ...current, localZone }));
  }, []);

  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support.
    document.cookie = `${preferencesCookie}=${serialisePreferences(preferences)}; path=/; max-age=${preferencesMaxAgeSeconds}; samesite=lax`;
    const { dataset } = document.documentElement;
    dataset.theme = preferences.theme;
    dataset.density = preferences.density;
  }, [preferences]);

  const change = useCallback(
    (next: Partial<Preferences>) => setPreferences((current) => ({ ...current, ...next })),
    [],
  );
  const value = { preferences, timeZone: displayZone(preferences), change };
  return <PreferencesContext value={value}>{children}</PreferencesContext>;
}

export function usePreferences(): PreferencesValue {
  return useContext(PreferencesContext);
}
