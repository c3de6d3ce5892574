import { Plus } from "lucide-react";
import { Suspense } from "react";
import type { OperatorProvider, OperatorProviderList } from "#contract/operator/providers.ts";
import { page, titleOf } from "@/app/console-page";
import { ManagedByFile, ProviderMark } from "@/components/operator/marks";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { formatCount } from "@/lib/format";
import { addressesOf, keysText } from "@/lib/operator/provider-labels";
import { providerLook } from "@/lib/status/operator";
import { FoundServersSection } from "../../providers/found-servers-section.tsx";
import { FileMenu } from "./file-menu.tsx";

const head = { title: "providers" } as const;

export const generateMetadata = titleOf(head);

/** The installation's providers, and model servers on this machine that are not connected yet. */
export default page(
  {
    ...head,
    description: "Services that run models, and your keys for them.",
    actions: (
      <>
        <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/providers/new">
          Add provider
        </LinkButton>
        <FileMenu />
      </>
    ),
  },
  async ({ requestRoute, need }) => {
    const { file, data } = await need(requestRoute("GET /operator/providers"));
    return (
      <>
        <FileNote file={file} />
        {data.length > 0 ? (
          <ProvidersTable providers={data} />
        ) : (
          <EmptyState
            drawing="signal"
            title="No providers yet"
            body="Until you add a provider, the sandbox answers with media that it makes without a model. Paste a key or connect a server of your own."
            action={
              <LinkButton variant="primary" href="/operator/providers/new">
                Add first provider
              </LinkButton>
            }
          />
        )}
        <Suspense>
          <FoundServersSection />
        </Suspense>
      </>
    );
  },
);

/** Path of the providers file, and why its last change was rejected. */
function FileNote({ file }: { file: OperatorProviderList["file"] }) {
  if (!file) return null;
  return (
    <div className="mb-4 space-y-2 text-table text-muted">
      <p>
        <code className="wrap-anywhere">{file.path}</code> is read again when it changes. The file takes
        precedence over the console.
      </p>
      {file.problem && (
        <p role="alert" className="rounded-panel border border-bad bg-bad-soft p-3 text-ink wrap-anywhere">
          Its last change is not in effect: {file.problem}
        </p>
      )}
    </div>
  );
}

function ProvidersTable({ providers }: { providers: readonly OperatorProvider[] }) {
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
        <span className="flex items-center gap-3">
          <ProviderMark name={provider.name} preset={provider.preset} />
          <span className="min-w-0">
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
          </span>
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
