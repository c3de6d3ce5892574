import type { OperatorProvider } from "#contract/operator/providers.ts";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { StatusPill } from "@/components/ui/status-pill";
import { formatCount } from "@/lib/format";
import { addressesOf, keysText } from "@/lib/operator/provider-words";
import { providerLook } from "@/lib/status/provider";
import { ManagedByFile } from "../managed-by-file.tsx";

export function ProvidersTable({ providers }: { providers: readonly OperatorProvider[] }) {
  return (
    <Table label="Providers">
      <thead>
        <tr>
          <Th>Provider</Th>
          <Th>Status</Th>
          <Th>Address</Th>
          <Th>Key</Th>
          <Th from="desktop">Regions</Th>
        </tr>
      </thead>
      <tbody>
        {providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} />
        ))}
      </tbody>
    </Table>
  );
}

function ProviderRow({ provider }: { provider: OperatorProvider }) {
  const { credentials, running_predictions: running, problem } = provider;
  const look = providerLook(provider);
  return (
    <Tr>
      <Td>
        <RowLink
          href={`/operator/providers/${encodeURIComponent(provider.id)}`}
          className="block wrap-anywhere"
        >
          {provider.name}
        </RowLink>
        <span className="flex flex-wrap items-center gap-1.5 text-meta text-muted">
          {provider.protocol}
          {provider.managed_by === "file" && <ManagedByFile />}
          {provider.overridden_by_file && (
            <span>The providers file has a provider with this name, which is used instead</span>
          )}
        </span>
      </Td>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusPill {...look} title={problem ?? look.meaning} />
          {running > 0 && (
            <span className="text-meta text-muted">{formatCount(running, "prediction")} running</span>
          )}
        </span>
      </Td>
      <Td className="max-w-80 text-muted" label="Address">
        {addressesOf(provider).map((address) => (
          <span key={address} className="block font-mono text-meta wrap-anywhere">
            {address}
          </span>
        ))}
      </Td>
      <Td className="font-mono text-meta text-muted wrap-anywhere" label="Key">
        {keysText(provider)}
      </Td>
      <Td className="text-muted" from="desktop" label="Regions">
        {credentials.map(({ region }) => (
          <span key={region} className="block text-meta">
            {region}
          </span>
        ))}
      </Td>
    </Tr>
  );
}
