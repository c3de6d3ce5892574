"use client";

import { useEffect } from "react";
import "./globals.css";
import { Button } from "@/components/ui/button";
import { isLanguage, type Language } from "@/messages/languages";

/** In this file, because the page that gave the messages is gone. */
const words: Record<Language, { crashed: string; advice: string; reload: string }> = {
  en: {
    crashed: "This page crashed",
    advice: "Reload the page to continue. Everything that you have sent is safe.",
    reload: "Reload",
  },
  "zh-CN": {
    crashed: "此页面已崩溃",
    advice: "请重新加载页面以继续。你已发送的内容都是安全的。",
    reload: "重新加载",
  },
};

/**
 * The last resort, outside the console or when its frame failed. The page therefore has its own frame. Every
 * page loads this code, so it does less than `Crash`.
 */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => console.error(error), [error]);
  const { lang } = typeof document === "undefined" ? { lang: "en" } : document.documentElement;
  const { crashed, advice, reload } = words[isLanguage(lang) ? lang : "en"];
  return (
    <html lang={lang}>
      <body>
        <title>Gatehouse</title>
        <main className="mx-auto max-w-[520px] px-4 py-16">
          <div role="alert" className="flex flex-col items-start gap-3">
            <h1 className="text-page font-semibold">{crashed}</h1>
            <p className="text-muted">{advice}</p>
            {error.digest && <code className="text-meta text-muted">{error.digest}</code>}
            <Button variant="primary" onClick={() => location.reload()}>
              {reload}
            </Button>
          </div>
        </main>
      </body>
    </html>
  );
}
