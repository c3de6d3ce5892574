import type { Metadata } from "next";
import { NumberedSteps } from "@/components/ui/page/numbered-steps";
import { PageHeader } from "@/components/ui/page/page-header";
import type { RouteProps } from "@/lib/page-props";
import { KeyStep } from "./key-step.tsx";
import { ModelsStep } from "./models-step.tsx";
import { RunStep } from "./run-step.tsx";
import { loadConnectSearch } from "./search-params.ts";

export const metadata: Metadata = { title: "Connect a provider" };

const steps = ["Kind and key", "Models", "First run"];

/** From a key to a first run in three steps. Each has its own address, so that one can go back to it. */
export default async function ConnectPage({ searchParams }: RouteProps) {
  const { preset, provider, step, test } = await loadConnectSearch(searchParams);
  const current = provider === null ? 0 : step === "run" ? 2 : 1;
  return (
    <>
      <PageHeader
        title="Connect a provider"
        description={
          [
            "Choose the provider that you have a key for, or a server of your own. The key is tested when you save it.",
            "Choose what it runs. Each can be changed later under Models and Mapping.",
            "Run one of its models. This is the first call that can cost something there.",
          ][current]
        }
      />
      <NumberedSteps names={steps} current={current} />
      {provider === null ? (
        <KeyStep wanted={preset} />
      ) : step === "run" ? (
        <RunStep providerId={provider} />
      ) : (
        <ModelsStep providerId={provider} testNow={test === "now"} />
      )}
    </>
  );
}
