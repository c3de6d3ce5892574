import { notFound } from "next/navigation";
import type { Status } from "#contract/status.ts";
import { WithWords } from "@/app/with-words";
import { Mark } from "@/components/shell/shell-icon";
import { StatusView } from "@/components/status/status-view";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import type { GatewayResult } from "@/lib/gateway/result";
import { sendGateway } from "@/lib/server/gateway/send";
import { currentVisitor, forwarded } from "@/lib/server/gateway/sign-in";
import { words } from "@/lib/server/words";

export async function generateMetadata() {
  return { title: (await words("publicPages"))("publicStatus") };
}

/** The public status page, if the operator has enabled it. */
export default async function PublicStatusPage() {
  const t = await words("status");
  const status = await getPublicStatus();
  if (!status.ok && status.error.code === "route_not_found") notFound();
  return (
    <WithWords parts={["ui", "nouns", "status"]}>
      <div className="mx-auto max-w-[960px] px-4 py-6">
        <header className="mb-6 flex items-center gap-2.5 text-title font-semibold">
          <Mark className="size-7" />
          <span className="flex-1">Gatehouse</span>
          <Link href="/sign-in" className="text-table font-medium text-accent hover:underline">
            {t("signIn")}
          </Link>
        </header>
        <main>
          <PageHeader
            title={t("status")}
            description={t("currentHealthAndTheLast")}
            actions={<LivePage drawnAtMs={Date.now()} />}
          />
          {status.ok ? (
            <StatusView status={status.data} incidents={status.data.incidents} links={false} />
          ) : (
            <LoadFailure error={status.error} />
          )}
        </main>
      </div>
    </WithWords>
  );
}

/** The public status. `route_not_found` if the operator has not enabled it. */
async function getPublicStatus(): Promise<GatewayResult<Status>> {
  return sendGateway("/public/status", { headers: forwarded(await currentVisitor()) });
}
