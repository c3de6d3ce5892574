import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import type { Step } from "@/components/ui/page/step-list";
import { connectedHref, guideHref } from "@/lib/operator/provider-labels";
import type { Words } from "@/messages/words";

type StepOfInstance = Omit<Step, "more">;

/** An operator's first steps, in a helpful order. */
export function stepsOfInstance(
  t: Words<"operatorSteps">,
  done: OperatorSteps,
  providerId: string | null,
): StepOfInstance[] {
  return [
    {
      name: "sandbox",
      label: t("trySandbox"),
      // Who has run a real model needs no try.
      done: done.ran_sandbox || done.ran_provider,
      hint: t("trySandboxHint"),
      action: { label: t("openCatalog"), href: "/catalog" },
    },
    {
      name: "provider",
      label: t("connectAProvider"),
      done: done.connected_provider && done.mapped_model && done.ran_provider,
      hint: t("connectAProviderHint"),
      action: {
        label: done.connected_provider ? t("continue") : t("connect"),
        href: done.connected_provider && providerId ? guideOf(providerId, done) : guideHref,
      },
    },
    {
      name: "names",
      label: t("keepNames"),
      done: done.made_alias,
      hint: t("keepNamesHint"),
      optional: true,
    },
    {
      name: "colleagues",
      label: t("inviteColleagues"),
      done: done.invited_colleague,
      hint: t("inviteColleaguesHint"),
      action: { label: t("openTeam"), href: "/settings/team" },
    },
    {
      name: "prices",
      label: t("setPrices"),
      done: done.set_price,
      hint: t("setPricesHint"),
      action: { label: t("openPrices"), href: "/operator/prices" },
      optional: true,
    },
    {
      name: "network",
      label: t("openNetwork"),
      done: done.opened_network,
      hint: t("openNetworkHint"),
    },
    {
      name: "mail",
      label: t("sendMail"),
      done: done.set_mail,
      hint: t("sendMailHint"),
      action: { label: t("openMail"), href: "/operator/mail" },
      optional: true,
    },
    {
      name: "signing",
      label: t("signOutputs"),
      done: done.set_signing,
      hint: t("signOutputsHint"),
      action: { label: t("openSigning"), href: "/operator/signing" },
      optional: true,
    },
  ];
}

/**
 * Link to the next step of setting up a provider: the first run if a model is mapped, otherwise the models.
 */
function guideOf(providerId: string, { mapped_model: mapped }: OperatorSteps): string {
  return mapped
    ? `${guideHref}?provider=${encodeURIComponent(providerId)}&step=run`
    : connectedHref(providerId, true);
}

export function stepCounts(
  t: Words<"operatorSteps">,
  done: OperatorSteps,
): { done: number; all: number; next: string | null } {
  const steps = stepsOfInstance(t, done, null);
  return {
    done: steps.filter((step) => step.done).length,
    all: steps.length,
    next: steps.find((step) => !step.done)?.label ?? null,
  };
}
