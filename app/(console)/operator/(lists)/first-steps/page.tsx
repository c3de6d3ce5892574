import { Check, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type {
  AddressReach,
  NetworkFacts,
  OperatorFirstSteps,
  OperatorSteps,
} from "#contract/operator/first-steps.ts";
import { page, titleOf } from "@/app/console-page";
import { ShowOnHome } from "@/components/home/first-steps";
import { stepCounts, stepsOfInstance } from "@/components/operator/first-steps/steps-of-instance";
import { UsualNames } from "@/components/operator/first-steps/usual-names";
import { Link } from "@/components/ui/page/link";
import { LivePage } from "@/components/ui/page/live-page";
import { PageHeader } from "@/components/ui/page/page-header";
import { StepList } from "@/components/ui/page/step-list";
import { type ModelsByKind, modelsByKind } from "@/lib/operator/usual-names";
import { askedParam } from "@/lib/paths";
import { getModels } from "@/lib/server/gateway/reads";

const head = { title: "firstSteps" } as const;

export const generateMetadata = titleOf(head);

/**
 * How often the page checks the steps: often enough that a step is marked as done soon after somebody
 * completed it in another tab.
 */
const ticksEveryMs = 5_000;

/** The first steps of an operator on a new installation. */
export default page(head, async ({ requestRoute, need }) => {
  const [first, providers, models, aliases] = await Promise.all([
    need(requestRoute("GET /operator/first_steps")),
    requestRoute("GET /operator/providers"),
    getModels(),
    requestRoute("GET /aliases"),
  ]);
  const { done, all } = stepCounts(first.steps);
  // The provider that was connected last is probably the one that the operator is setting up.
  const provider = providers.ok
    ? providers.data.data.filter(({ status }) => status === "active").at(-1)
    : null;
  return (
    <>
      <PageHeader
        title="First steps"
        description="Do these in any order; each is checked off automatically."
        actions={
          <>
            {done < all && <LivePage drawnAtMs={Date.now()} everyMs={ticksEveryMs} />}
            <ShowOnHome />
          </>
        }
      />
      <FirstStepsOfInstance
        first={first}
        providerId={provider?.id ?? null}
        models={models.ok ? modelsByKind(models.data.data) : null}
        existing={
          aliases.ok ? aliases.data.data.filter((one) => one.for_everyone).map(({ name }) => name) : []
        }
      />
    </>
  );
});

interface FirstStepsOfInstanceProps {
  first: OperatorFirstSteps;
  /** The provider that was connected last. */
  providerId: string | null;
  /** Null if they could not be read. */
  models: ModelsByKind | null;
  /** The aliases for all accounts. */
  existing: readonly string[];
}

function FirstStepsOfInstance({ first, providerId, models, existing }: FirstStepsOfInstanceProps) {
  const { steps, network } = first;
  const { done, all } = stepCounts(steps);
  const more: Record<string, ReactNode> = {
    provider: steps.connected_provider ? (
      !steps.ran_provider && <ProviderParts steps={steps} />
    ) : (
      <p className="text-table">
        Or <Link href={`/operator/providers?${askedParam}=import`}>import LiteLLM’s config.yaml</Link>, a
        providers file, or the models of a key.
      </p>
    ),
    names: models && <UsualNames models={models} existing={existing} />,
    network: !steps.opened_network && <NetworkState network={network} />,
  };
  return (
    <>
      <p role="status" className="tabular mb-2 text-table text-muted">
        {done} of {all} done
      </p>
      <StepList
        steps={stepsOfInstance(steps, providerId).map((step) => ({ ...step, more: more[step.name] }))}
      />
    </>
  );
}

function ProviderParts({ steps }: { steps: OperatorSteps }) {
  const parts = [
    { label: "Kind and key", done: steps.connected_provider },
    { label: "Models", done: steps.mapped_model },
    { label: "First run", done: steps.ran_provider },
  ];
  return (
    <ol aria-label="Steps of a provider" className="flex flex-wrap gap-x-5 gap-y-1 text-table text-muted">
      {parts.map(({ label, done }, index) => (
        <li key={label} className="flex items-center gap-1.5">
          {done ? (
            <Check size={14} aria-hidden className="text-good" />
          ) : (
            <span aria-hidden>{index + 1}.</span>
          )}
          {label}
          {done && <span className="sr-only">(done)</span>}
        </li>
      ))}
    </ol>
  );
}

/** What is missing before other people can use an address. */
const faults: Record<AddressReach, string | null> = {
  own_machine: "which only this machine can open",
  unencrypted: "which is not encrypted: use https",
  open: null,
};

/**
 * The current addresses of the API and the console, their consequences, and the settings that change them.
 */
function NetworkState({ network }: { network: NetworkFacts }) {
  const { gateway, console, listens_on: host, own_machine_only: isLocal } = network;
  const lines = [
    { name: "API", value: gateway.url, fault: faults[gateway.reach] },
    { name: "Console", value: console.url, fault: faults[console.reach] },
    {
      name: "Listens on",
      value: host,
      fault: isLocal ? "only this machine can connect, which is enough if the proxy runs on it" : null,
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
        Put a proxy with a certificate in front of the gateway: <code>deploy/Caddyfile</code> configures one
        that obtains its own certificate. Set <code>GATEWAY_PUBLIC_URL</code> and{" "}
        <code>CONSOLE_PUBLIC_URL</code> to the https addresses that people use, <code>TRUST_PROXY</code> to
        the proxy, and <code>GATEWAY_HOST</code> and <code>CONSOLE_HOST</code> to 0.0.0.0 if the proxy runs on
        another machine. Then restart both programs. See <code>docs/operating.md</code> for details.
      </p>
    </div>
  );
}
