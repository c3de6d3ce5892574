import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers";
import { visitorsPreferences } from "@/lib/server/session";
import { requestLanguage } from "@/lib/server/words";
import { WithWords } from "./with-words.tsx";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Gatehouse", template: "%s · Gatehouse" },
  description: "Run models, keep private media and trust your webhooks.",
  robots: { index: false, follow: false },
  icons: {
    icon: [
      { url: "/favicon.ico", sizes: "32x32" },
      { url: "/icon.svg", type: "image/svg+xml" },
    ],
    apple: "/apple-icon.png",
  },
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The nonce of the content security policy differs for each request, so no page may be prerendered.
  await connection();
  const preferences = await visitorsPreferences();
  return (
    <html lang={await requestLanguage()} data-theme={preferences.theme} data-density={preferences.density}>
      <head>
        {["inter", "jetbrains-mono"].map((name) => (
          <link
            key={name}
            rel="preload"
            href={`/fonts/${name}-latin.woff2`}
            as="font"
            type="font/woff2"
            crossOrigin=""
          />
        ))}
      </head>
      <body>
        {/* Toasts are drawn here, outside of every page's own messages. */}
        <WithWords parts={["ui"]}>
          <Providers preferences={preferences}>{children}</Providers>
        </WithWords>
      </body>
    </html>
  );
}
