"use client";

import type { LocalServer } from "#contract/operator/providers.ts";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { formatCount } from "@/lib/format";
import { changeConfiguration } from "@/lib/gateway/act";
import { connectedHref } from "@/lib/operator/provider-labels";
import { useChange } from "../use-change.ts";

/**
 * Model servers on this machine. One click connects a server, and also confirms that its private address is
 * intended.
 */
export function FoundServers({ servers, guided }: { servers: readonly LocalServer[]; guided?: boolean }) {
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
      `${server.name} connected`,
      ({ id }) => router.push(connectedHref(id, guided)),
    );
  return (
    <Section
      className="mt-8"
      title="Found on this machine"
      description="These servers answer on their usual ports. Connecting one allows the gateway to call its private address."
    >
      <ul className="grid gap-2 desktop:grid-cols-2">
        {servers.map((server) => (
          <li
            key={server.base_url}
            className="flex flex-wrap items-center gap-3 rounded-panel border bg-panel p-3"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-medium">
                {server.name} with {formatCount(server.model_count, "model")}
              </p>
              <p className="font-mono text-meta text-muted wrap-anywhere">{server.base_url}</p>
              {server.models.length > 0 && (
                <p className="text-meta text-muted wrap-anywhere">{server.models.join(", ")}</p>
              )}
            </div>
            <Button busy={busy} aria-label={`Connect ${server.name}`} onClick={() => void connect(server)}>
              Connect
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
