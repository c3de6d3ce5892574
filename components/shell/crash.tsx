"use client";

import { RotateCw } from "lucide-react";
import { useEffect } from "react";
import { useWords } from "#words";
import { Button, LinkButton } from "@/components/ui/button";
import { isStaleDeploy } from "@/lib/browser/stale-deploy";

interface CrashProps {
  error: Error & { digest?: string };
  retry: () => void;
}

const reloadedKey = "gatehouse-reloaded-at";
const reloadAgainAfterMs = 60_000;

/**
 * A page that crashed. If a new version was deployed, the old scripts no longer exist, and a reload helps.
 */
export function Crash({ error, retry }: CrashProps) {
  const t = useWords("shell");
  const ui = useWords("ui");
  const staleScripts = isStaleDeploy(error);

  useEffect(() => {
    console.error(error);
    if (!staleScripts) return;
    const lastMs = Number(sessionStorage.getItem(reloadedKey));
    if (Date.now() - lastMs < reloadAgainAfterMs) return;
    const reload = () => {
      sessionStorage.setItem(reloadedKey, String(Date.now()));
      location.reload();
    };
    if (navigator.onLine) return reload();
    // Offline, a reload would end on the browser's error page.
    window.addEventListener("online", reload, { once: true });
    return () => window.removeEventListener("online", reload);
  }, [error, staleScripts]);

  return (
    <div role="alert" className="mx-auto flex max-w-[520px] flex-col items-start gap-3 py-16">
      <h1 className="text-page font-semibold">{staleScripts ? t("notLoaded") : t("crashed")}</h1>
      <p className="text-muted">{staleScripts ? t("newVersion") : t("typedMayBeLost")}</p>
      {error.digest && <code className="text-meta text-muted">{error.digest}</code>}
      <div className="flex gap-2">
        <Button
          variant="primary"
          icon={<RotateCw size={15} aria-hidden />}
          onClick={() => (staleScripts ? location.reload() : retry())}
        >
          {staleScripts ? t("reload") : ui("tryAgain")}
        </Button>
        <LinkButton href="/">{t("goHome")}</LinkButton>
      </div>
    </div>
  );
}
