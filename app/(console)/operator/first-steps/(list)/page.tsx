import type { Metadata } from "next";
import { FirstStepsOfInstance } from "@/components/operator/first-steps/first-steps-of-instance";
import { ShowOnHome } from "@/components/operator/first-steps/show-on-home";
import { stepCounts } from "@/components/operator/first-steps/steps-of-instance";
import { LivePage } from "@/components/ui/page/live-page";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { PageHeader } from "@/components/ui/page/page-header";
import { requestRoute } from "@/lib/server/gateway/request";

export const metadata: Metadata = { title: "First steps" };

/** Soon enough to see a step tick itself after something was done in another tab. */
const ticksEveryMs = 5_000;

/** What an operator of a new installation does first. */
export default async function FirstStepsPage() {
  const [first, providers] = await Promise.all([
    requestRoute("GET /operator/first_steps"),
    requestRoute("GET /operator/providers"),
  ]);
  if (!first.ok)
    return (
      <>
        <PageHeader title="First steps" />
        <LoadFailure error={first.error} />
      </>
    );
  const { done, all } = stepCounts(first.data.steps);
  // The one that was connected last is the one that somebody is about to finish.
  const provider = providers.ok
    ? providers.data.data.filter(({ status }) => status === "active").at(-1)
    : null;
  return (
    <>
      <PageHeader
        title="First steps"
        description="What to do with a new installation. Each step ticks itself when it has happened, in any order."
        actions={
          <>
            {done < all && <LivePage drawnAtMs={Date.now()} everyMs={ticksEveryMs} />}
            <ShowOnHome />
          </>
        }
      />
      <FirstStepsOfInstance first={first.data} providerId={provider?.id ?? null} />
    </>
  );
}
