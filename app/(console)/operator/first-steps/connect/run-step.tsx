import { CircleCheck, OctagonAlert } from "lucide-react";
import { LinkButton } from "@/components/ui/button";
import { RowLink, Table, Td, Th, Tr } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
import { connectedHref } from "@/lib/operator/connecting";
import { kindWord } from "@/lib/operator/provider-words";
import { requestRoute } from "@/lib/server/gateway/request";
import { servedBy } from "./served-by.ts";

/** So many models are enough to try one. */
const mostShown = 20;
const ticksEveryMs = 5_000;

/** What the provider runs now, with the way into the playground and what came of it. */
export async function RunStep({ providerId }: { providerId: string }) {
  const [provider, table, health] = await Promise.all([
    requestRoute("GET /operator/providers/{id}", { params: { id: providerId } }),
    requestRoute("GET /operator/routes"),
    requestRoute("GET /operator/health"),
  ]);
  if (!provider.ok) return <LoadFailure error={provider.error} />;
  if (!table.ok) return <LoadFailure error={table.error} />;
  const { name } = provider.data;
  const served = servedBy(name, table.data);
  const back = (
    <LinkButton href={connectedHref(providerId, true)} variant={served.length === 0 ? "primary" : undefined}>
      Choose models
    </LinkButton>
  );
  if (served.length === 0)
    return (
      <EmptyState
        drawing="signal"
        title={`${name} runs no model yet`}
        body="Choose at least one first."
        action={back}
      />
    );
  const tries = health.ok ? health.data.data.filter((one) => one.provider === name) : [];
  const lastOf = (times: (string | null | undefined)[]) =>
    times
      .filter((time) => time != null)
      .sort()
      .at(-1);
  const succeeded = lastOf(tries.map(({ last_success_at: at }) => at));
  const failure = tries
    .flatMap(({ last_failure: last }) => last ?? [])
    .filter(({ at }) => succeeded === undefined || at > succeeded)
    .sort((one, other) => one.at.localeCompare(other.at))
    .at(-1);
  return (
    <>
      <div role="status">
        {succeeded && (
          <p className="mb-4 flex flex-wrap items-center gap-2 rounded-panel border border-good bg-good-soft p-3">
            <CircleCheck size={18} aria-hidden className="text-good" />
            <span className="min-w-0 flex-1">
              {name} answered <Time value={succeeded} />. It is connected.
            </span>
            <LinkButton size="sm" href="/operator/first-steps">
              Back to the first steps
            </LinkButton>
          </p>
        )}
        {failure && (
          <p className="mb-4 flex items-start gap-2 rounded-panel border border-bad bg-bad-soft p-3">
            <OctagonAlert size={18} aria-hidden className="mt-px shrink-0 text-bad" />
            <span className="min-w-0 wrap-anywhere">
              The last try failed <Time value={failure.at} />: {failure.message || failure.code}
            </span>
          </p>
        )}
      </div>
      <Section
        title="Run one of these"
        description="The playground opens with an example of each. This page notices when one has answered."
        actions={
          <>
            <LivePage drawnAtMs={Date.now()} everyMs={ticksEveryMs} />
            {back}
          </>
        }
      >
        <Table label="Models of the provider">
          <thead>
            <tr>
              <Th>Model</Th>
              <Th>Runs</Th>
              <Th className="max-tablet:hidden">At the provider</Th>
              <Th className="max-desktop:hidden">Regions</Th>
            </tr>
          </thead>
          <tbody>
            {served.slice(0, mostShown).map(({ model, apiType, upstreamModel, regions }) => (
              <Tr key={`${model} ${apiType}`}>
                <Td>
                  <RowLink href={`/playground/${model}/${apiType}`} className="wrap-anywhere">
                    {model}
                  </RowLink>
                </Td>
                <Td>{kindWord(apiType)}</Td>
                <Td className="font-mono text-meta wrap-anywhere max-tablet:hidden">{upstreamModel}</Td>
                <Td className="text-meta text-muted max-desktop:hidden">{regions.join(", ")}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
        {served.length > mostShown && (
          <p className="mt-2 text-meta text-muted">
            And {formatCount(served.length - mostShown, "more operation")}: see Mapping.
          </p>
        )}
      </Section>
    </>
  );
}
