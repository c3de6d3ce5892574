import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import type { Step } from "@/components/ui/page/step-list";
import { connectedHref, guideHref } from "@/lib/operator/provider-labels";

type StepOfInstance = Omit<Step, "more">;

/** An operator's first steps, in a helpful order. */
export function stepsOfInstance(done: OperatorSteps, providerId: string | null): StepOfInstance[] {
  return [
    {
      name: "sandbox",
      label: "Try the sandbox",
      // Who has run a real model needs no try.
      done: done.ran_sandbox || done.ran_provider,
      hint: "Run any model in the playground. Without a provider, the sandbox makes real files, without a model and without cost.",
      action: { label: "Open the catalog", href: "/catalog" },
    },
    {
      name: "provider",
      label: "Connect a provider",
      done: done.connected_provider && done.mapped_model && done.ran_provider,
      hint: "Three steps: the provider's kind and key, the models that it runs, and a first run.",
      action: {
        label: done.connected_provider ? "Continue" : "Connect",
        href: done.connected_provider && providerId ? guideOf(providerId, done) : guideHref,
      },
    },
    {
      name: "names",
      label: "Keep the model names of your programs",
      done: done.made_alias,
      hint: "Programs that ask for gpt-4o or whisper-1 need no change: an alias runs these names on models that you choose.",
      optional: true,
    },
    {
      name: "colleagues",
      label: "Invite colleagues",
      done: done.invited_colleague,
      hint: "Each colleague has a role, which decides what they may do.",
      action: { label: "Open team", href: "/settings/team" },
    },
    {
      name: "prices",
      label: "Set prices",
      done: done.set_price,
      hint: "With prices, usage shows costs, and you can set budgets in money.",
      action: { label: "Open prices", href: "/operator/prices" },
      optional: true,
    },
    {
      name: "network",
      label: "Open the gateway to the network",
      done: done.opened_network,
      hint: "Public addresses with a certificate, so that other people can use the API and the console.",
    },
    {
      name: "mail",
      label: "Send e-mail",
      done: done.set_mail,
      hint: "For invitations, notices and forgotten passwords. Until then, people must copy links by hand.",
      action: { label: "Open mail", href: "/operator/mail" },
      optional: true,
    },
    {
      name: "signing",
      label: "Sign outputs",
      done: done.set_signing,
      hint: "Content Credentials state in each file which model made it.",
      action: { label: "Open signing", href: "/operator/signing" },
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

export function stepCounts(done: OperatorSteps): { done: number; all: number; next: string | null } {
  const steps = stepsOfInstance(done, null);
  return {
    done: steps.filter((step) => step.done).length,
    all: steps.length,
    next: steps.find((step) => !step.done)?.label ?? null,
  };
}
