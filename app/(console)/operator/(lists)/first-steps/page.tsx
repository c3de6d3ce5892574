import { Check, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type {
  AddressReach,
  NetworkFacts,
  OperatorFirstSteps,
  OperatorSteps,
} from "#contract/operator/first-steps.ts";
import { useWords } from "#words";
import { headOf, page, titleOf } from "@/app/console-page";
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
import type { Key } from "@/messages/words";

const head = headOf({ title: "firstSteps", parts: ["operatorSteps", "operator", "home"] });

export const generateMetadata = titleOf(head);

/**
 * How often the page checks the steps: often enough that a step is marked as done soon after somebody
 * completed it in another tab.
 */
const ticksEveryMs = 5_000;

/** The first steps of an operator on a new installation. */
export default page(head, async ({ t, requestRoute, need }) => {
  const [first, providers, models, aliases] = await Promise.all([
    need(requestRoute("GET /operator/first_steps")),
    requestRoute("GET /operator/providers"),
    getModels(),
    requestRoute("GET /aliases"),
  ]);
  const { done, all } = stepCounts(t, first.steps);
  // The provider that was connected last is probably the one that the operator is setting up.
  const provider = providers.ok
    ? providers.data.data.filter(({ status }) => status === "active").at(-1)
    : null;
  return (
    <>
      <PageHeader
        title={t("firstSteps")}
        description={t("doTheseInAnyOrder")}
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
  const t = useWords("operatorSteps");
  const { steps, network } = first;
  const { done, all } = stepCounts(t, steps);
  const more: Record<string, ReactNode> = {
    provider: steps.connected_provider ? (
      !steps.ran_provider && <ProviderParts steps={steps} />
    ) : (
      <p className="text-table">
        {t.rich(
          "orImport",
          {},
          {
            link: (label) => (
              <Link key="import" href={`/operator/providers?${askedParam}=import`}>
                {label}
              </Link>
            ),
          },
        )}
      </p>
    ),
    names: models && <UsualNames models={models} existing={existing} />,
    network: !steps.opened_network && <NetworkState network={network} />,
  };
  return (
    <>
      <p role="status" className="tabular mb-2 text-table text-muted">
        {t("doneOfAllDone", { done, all })}
      </p>
      <StepList
        steps={stepsOfInstance(t, steps, providerId).map((step) => ({ ...step, more: more[step.name] }))}
      />
    </>
  );
}

function ProviderParts({ steps }: { steps: OperatorSteps }) {
  const t = useWords("operatorSteps");
  const parts = [
    { label: t("kindAndKey"), done: steps.connected_provider },
    { label: t("models"), done: steps.mapped_model },
    { label: t("firstRun"), done: steps.ran_provider },
  ];
  return (
    <ol aria-label={t("stepsOfAProvider")} className="flex flex-wrap gap-x-5 gap-y-1 text-table text-muted">
      {parts.map(({ label, done }, index) => (
        <li key={label} className="flex items-center gap-1.5">
          {done ? (
            <Check size={14} aria-hidden className="text-good" />
          ) : (
            <span aria-hidden>{index + 1}.</span>
          )}
          {label}
          {done && <span className="sr-only">{t("done")}</span>}
        </li>
      ))}
    </ol>
  );
}

/** What is missing before other people can use an address. */
const faults: Record<AddressReach, Key<"operatorSteps"> | null> = {
  own_machine: "onlyThisMachine",
  unencrypted: "notEncrypted",
  open: null,
};

/**
 * The current addresses of the API and the console, their consequences, and the settings that change them.
 */
function NetworkState({ network }: { network: NetworkFacts }) {
  const t = useWords("operatorSteps");
  const { gateway, console, listens_on: host, own_machine_only: isLocal } = network;
  const lines: { name: Key<"operatorSteps">; value: string; fault: Key<"operatorSteps"> | null }[] = [
    { name: "api", value: gateway.url, fault: faults[gateway.reach] },
    { name: "console", value: console.url, fault: faults[console.reach] },
    { name: "listensOn", value: host, fault: isLocal ? "proxyOnThisMachine" : null },
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
              {t.rich(
                fault ? "settingWithFault" : "settingOfAddress",
                { name: t.text(name), value, fault: fault ? t.text(fault) : "" },
                {
                  code: (text) => <code key="value">{text}</code>,
                  muted: (text) => (
                    <span key="fault" className="text-muted">
                      {text}
                    </span>
                  ),
                },
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-muted">
        {t.rich("putProxy", {}, { code: (text) => <code key={text.join("")}>{text}</code> })}
      </p>
    </div>
  );
}
