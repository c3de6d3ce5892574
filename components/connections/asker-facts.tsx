import { BadgeCheck, TriangleAlert } from "lucide-react";
import type { AuthorizationRequest } from "#contract/connections.ts";
import { Facts } from "@/components/ui/facts";

const goesTo = {
  web: (host: string) => host,
  this_device: (host: string) => `a program on this device (${host})`,
  app: (scheme: string) => `an app on this device (${scheme})`,
} as const;

/** Who asks, how sure that is, and where the browser goes afterwards. */
export function AskerFacts({ request }: { request: AuthorizationRequest }) {
  const { client, redirect_host: host, redirect_kind: kind } = request;
  return (
    <div className="flex flex-col gap-3">
      <Facts
        facts={[
          ["Client", client.name],
          ["Known as", client.host ?? "nobody: it registered itself"],
          ["Then goes to", goesTo[kind](host)],
        ]}
      />
      {client.verified ? (
        <p className="flex gap-2 text-table text-muted">
          <BadgeCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-good" />
          <span>
            <strong className="font-medium text-ink wrap-anywhere">{client.host}</strong> says that this is
            its client. The name is what it calls itself.
          </span>
        </p>
      ) : (
        <p className="flex gap-2 rounded-control bg-warn-soft p-3 text-table">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span>
            Nobody has checked who this is: it registered itself, and could use any name. Go on only if you
            have just started the connection yourself.
          </span>
        </p>
      )}
    </div>
  );
}
