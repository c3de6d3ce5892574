import { CircleCheck, TriangleAlert } from "lucide-react";
import type { AddressReach, NetworkFacts } from "#contract/operator/first-steps.ts";

/** What an address still lacks. */
const faults: Record<AddressReach, string | null> = {
  own_machine: "which only this machine can open",
  unencrypted: "which is not encrypted: use https",
  open: null,
};

/** Where API and console are reached now, what that means, and what to set to change it. */
export function NetworkState({ network }: { network: NetworkFacts }) {
  const { gateway, console, listens_on: host, own_machine_only: isLocal } = network;
  const lines = [
    { name: "API", value: gateway.url, fault: faults[gateway.reach] },
    { name: "Console", value: console.url, fault: faults[console.reach] },
    {
      name: "Listens on",
      value: host,
      fault: isLocal ? "only this machine can connect; enough where the proxy runs on it" : null,
    },
  ];
  return (
    <div className="max-w-[80ch] space-y-2 text-table">
      <ul className="space-y-1">
        {lines.map(({ name, value, fault }) => (
          <li key={name} className="flex items-start gap-2">
            {fault ? (
              <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
            ) : (
              <CircleCheck size={15} aria-hidden className="mt-0.5 shrink-0 text-good" />
            )}
            <span className="min-w-0 wrap-anywhere">
              {name}: <code>{value}</code>
              {fault && <span className="text-muted">, {fault}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-muted">
        Put a proxy with a certificate in front: <code>deploy/Caddyfile</code> is one that gets its own. Set{" "}
        <code>GATEWAY_PUBLIC_URL</code> and <code>CONSOLE_PUBLIC_URL</code> to the https addresses that people
        use, <code>TRUST_PROXY</code> to the proxy, and <code>GATEWAY_HOST</code> and{" "}
        <code>CONSOLE_HOST</code> to 0.0.0.0 if it runs on another machine. Start the programs again.{" "}
        <code>docs/operating.md</code> says more.
      </p>
    </div>
  );
}
