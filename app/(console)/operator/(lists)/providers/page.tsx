import { Plus } from "lucide-react";
import { Suspense } from "react";
import type { OperatorProvider, OperatorProviderList } from "#contract/operator/providers.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
import { ManagedByFile, ProviderMark } from "@/components/operator/marks";
import { StatusPill } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { inEnglish } from "@/components/words/in-english";
import { addressesOf, keysText } from "@/lib/operator/provider-labels";
import { providerLook } from "@/lib/status/operator";
import { FoundServersSection } from "../../providers/found-servers-section.tsx";
import { FileMenu } from "./file-menu.tsx";

const head = headOf({
  title: "providers",
  parts: ["providers"],
  description: "servicesThatRun",
  actions: (t) => (
    <>
      <LinkButton variant="primary" icon={<Plus size={16} aria-hidden />} href="/operator/providers/new">
        {t("addProvider")}
      </LinkButton>
      <FileMenu />
    </>
  ),
});

export const generateMetadata = titleOf(head);

/** The installation's providers, and model servers on this machine that are not connected yet. */
export default page(head, async ({ t, requestRoute, need }) => {
  const { file, data } = await need(requestRoute("GET /operator/providers"));
  return (
    <>
      <FileNote file={file} />
      {data.length > 0 ? (
        <ProvidersTable providers={data} />
      ) : (
        <EmptyState
          drawing="signal"
          title={t("noProvidersYet")}
          body={t("untilYouAddAProvider")}
          action={
            <LinkButton variant="primary" href="/operator/providers/new">
              {t("addFirstProvider")}
            </LinkButton>
          }
        />
      )}
      <Suspense>
        <FoundServersSection />
      </Suspense>
    </>
  );
});

/** Path of the providers file, and why its last change was rejected. */
function FileNote({ file }: { file: OperatorProviderList["file"] }) {
  const t = useWords("providers");
  if (!file) return null;
  return (
    <div className="mb-4 space-y-2 text-table text-muted">
      <p>
        {t.rich(
          "fileReadAgain",
          { path: file.path },
          {
            code: (path) => (
              <code key="path" className="wrap-anywhere">
                {path}
              </code>
            ),
          },
        )}
      </p>
      {file.problem && (
        <p role="alert" className="rounded-panel border border-bad bg-bad-soft p-3 text-ink wrap-anywhere">
          {t.rich("itsLastChangeIsNot", { problem: file.problem }, inEnglish)}
        </p>
      )}
    </div>
  );
}

function ProvidersTable({ providers }: { providers: readonly OperatorProvider[] }) {
  const t = useWords("providers");
  return (
    <Table label={t("providers")}>
      <thead>
        <tr>
          <Th>{t("provider")}</Th>
          <Th>{t("status")}</Th>
          <Th>{t("address")}</Th>
          <Th>{t("key")}</Th>
          <Th from="desktop">{t("regions")}</Th>
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
  const t = useWords("providers");
  const shared = useWords("operator");
  const { credentials, running_predictions: running, problem } = provider;
  const look = providerLook(shared, provider);
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
              {provider.overridden_by_file && <span>{t("theProvidersFileHasA")}</span>}
            </span>
          </span>
        </span>
      </Td>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <StatusPill {...look} title={problem ?? look.meaning} />
          {running > 0 && (
            <span className="text-meta text-muted">{t("predictionsRunning", { count: running })}</span>
          )}
        </span>
      </Td>
      <Td className="max-w-80 text-muted" label={t("address")}>
        {addressesOf(provider).map((address) => (
          <span key={address} className="block font-mono text-meta wrap-anywhere">
            {address}
          </span>
        ))}
      </Td>
      <Td className="font-mono text-meta text-muted wrap-anywhere" label={t("key")}>
        {keysText(shared, provider)}
      </Td>
      <Td className="text-muted" from="desktop" label={t("regions")}>
        {credentials.map(({ region }) => (
          <span key={region} className="block text-meta">
            {region}
          </span>
        ))}
      </Td>
    </Tr>
  );
}
