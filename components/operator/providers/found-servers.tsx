"use client";

import type { LocalServer } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { changeConfiguration } from "@/lib/gateway/act";
import { connectedHref } from "@/lib/operator/provider-labels";
import { listText } from "@/lib/words/list-text";
import { useChange } from "../use-change.ts";

/**
 * Model servers on this machine. One click connects a server, and also confirms that its private address is
 * intended.
 */
export function FoundServers({ servers, guided }: { servers: readonly LocalServer[]; guided?: boolean }) {
  const t = useWords("providers");
  const router = usePageRouter();
  const { busy, press } = useChange();
  const connect = (server: LocalServer) =>
    press(
      changeConfiguration("POST /operator/providers", {
        body: {
          name: server.preset,
          preset: server.preset,
          protocol: "openai",
          base_url: server.base_url,
          allow_private: true,
        },
      }),
      t("serverConnected", { name: server.name }),
      ({ id }) => router.push(connectedHref(id, guided)),
    );
  return (
    <Section className="mt-8" title={t("foundOnThisMachine")} description={t("theseServersAnswerOnTheir")}>
      <ul className="grid gap-2 desktop:grid-cols-2">
        {servers.map((server) => (
          <li
            key={server.base_url}
            className="flex flex-wrap items-center gap-3 rounded-panel border bg-panel p-3"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-medium">
                {t("serverWithModels", { name: server.name, count: server.model_count })}
              </p>
              <p className="font-mono text-meta text-muted wrap-anywhere">{server.base_url}</p>
              {server.models.length > 0 && (
                <p className="text-meta text-muted wrap-anywhere">
                  {listText(t.language, server.models, "plain")}
                </p>
              )}
            </div>
            <Button
              busy={busy}
              aria-label={t("connectName", { name: server.name })}
              onClick={() => void connect(server)}
            >
              {t("connect")}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
