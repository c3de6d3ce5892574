import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { Suspense } from "react";
import { FileNote } from "@/components/operator/providers/file-note";
import { ProvidersTable } from "@/components/operator/providers/providers-table";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { requestRoute } from "@/lib/server/gateway/request";
import { FoundServersSection } from "../found-servers-section.tsx";
import { FileMenu } from "./file-menu.tsx";

export const metadata: Metadata = { title: "Providers" };

/** The upstreams of this installation, and the model servers of this machine that are none yet. */
export default async function ProvidersPage() {
  const providers = await requestRoute("GET /operator/providers");
  return (
    <>
      <PageHeader
        title="Providers"
        description="Upstreams that run models. Their keys are encrypted in the database and never shown again."
        actions={
          <>
            <LinkButton
              variant="primary"
              icon={<Plus size={16} aria-hidden />}
              href="/operator/providers/new"
            >
              Add provider
            </LinkButton>
            <FileMenu />
          </>
        }
      />
      {!providers.ok ? (
        <LoadFailure error={providers.error} />
      ) : (
        <>
          <FileNote file={providers.data.file} />
          {providers.data.data.length > 0 ? (
            <ProvidersTable providers={providers.data.data} />
          ) : (
            <EmptyState
              drawing="signal"
              title="No providers yet"
              body="Until you add one, the sandbox answers with media that it makes without any model. Paste a key or connect a server of your own."
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
      )}
    </>
  );
}
