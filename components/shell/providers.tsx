"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ToastProvider } from "@/components/ui/toast";
import type { Preferences } from "@/lib/preferences";
import { PreferencesProvider } from "./preferences.tsx";

interface ProvidersProps {
  preferences: Preferences;
  children: ReactNode;
}

/** The providers that all pages need in the browser: preferences, live data, toasts. */
export function Providers({ preferences, children }: ProvidersProps) {
  const [queryClient] = useState(newQueryClient);
  return (
    <PreferencesProvider initial={preferences}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{children}</ToastProvider>
      </QueryClientProvider>
    </PreferencesProvider>
  );
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: 1, refetchOnWindowFocus: true, refetchIntervalInBackground: false },
    },
  });
}
