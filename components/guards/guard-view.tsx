"use client";

import { CircleAlert, CircleCheck, CirclePause, RotateCw, Send, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { type GuardStage, guardStages } from "#contract/guard-constants.ts";
import type { Guard, GuardActivity, GuardTest } from "#contract/guards.ts";
import { useWords } from "#words";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { FactList } from "@/components/ui/fact-list";
import { RadioGroup } from "@/components/ui/form/radio-group";
import { Switch } from "@/components/ui/form/switch";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { Coded } from "@/components/words/coded";
import { answerOf, settle } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { addGuard } from "@/lib/gateway/secret-actions";
import type { Tone } from "@/lib/status/status-look";
import type { Words } from "@/messages/words";
import { GuardChart } from "./guard-chart.tsx";
import type { GuardQuestion } from "./guard-dialogs.tsx";
import { type GuardOwner, type GuardValues, guardBody, guardChanges, valuesOfGuard } from "./guard-values.ts";

const GuardForm = dynamic(() => import("./guard-form.tsx").then((module) => module.GuardForm), {
  loading: () => null,
});
const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);
const GuardDialogs = dynamic(() => import("./guard-dialogs.tsx").then((module) => module.GuardDialogs), {
  ssr: false,
});

/** The chapter with the example receivers. */
const chapterHref = "/public/help/guards";

interface GuardViewProps {
  of: GuardOwner;
  /** Null: there is none. */
  guard: Guard | null;
  /** How often it was asked in the last day; null if that could not be read. */
  activity: GuardActivity | null;
  /** The account's keys; null for an operator. */
  keys: readonly { id: string; name: string }[] | null;
  models: readonly string[];
  /** Who answers for gated contents. */
  answerer: string | null;
}

/** The guard of the account or of the installation: its settings, state, a test, and what came of its questions. */
export function GuardView({ of, guard, activity, keys, models, answerer }: GuardViewProps) {
  const t = useWords("guards");
  const titles = useWords("pages");
  const router = usePageRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<GuardQuestion | null>(null);
  const [isNew, setNew] = useState(false);
  const { busy, send } = useSend();
  const renew = () => router.refresh();

  const create = (values: GuardValues) =>
    settle(addGuard(of, guardBody(of, values)), ({ secret }) => {
      setNew(false);
      setQuestion({ about: "secret", secret });
      renew();
    });
  const save = async (before: Guard, values: GuardValues) => {
    const body = guardChanges(of, valuesOfGuard(before), values);
    if (Object.keys(body).length === 0) return null;
    return settle(
      of === "account" ? act("PATCH /account/guard", { body }) : act("PATCH /operator/guard", { body }),
      () => {
        toast({ title: t("saved"), description: t("savedNext") });
        renew();
      },
    );
  };
  const turnOn = async () => {
    const body = { enabled: true };
    const answer = await send(() =>
      answerOf(
        of === "account" ? act("PATCH /account/guard", { body }) : act("PATCH /operator/guard", { body }),
      ),
    );
    toast(answer.ok ? { title: t("turnedOn") } : await failureToast(answer.error));
    renew();
  };
  const form = { of, keys, models };
  return (
    <>
      <PageHeader
        title={titles(of === "account" ? "guard" : "installationGuard")}
        description={of === "account" ? t("description") : t("installationDescription")}
        actions={
          guard && (
            <>
              <Button
                icon={<RotateCw size={16} aria-hidden />}
                onClick={() => setQuestion({ about: "rotate" })}
              >
                {t("rotate")}
              </Button>
              <Button
                icon={<Trash2 size={16} aria-hidden />}
                onClick={() => setQuestion({ about: "remove" })}
              >
                {t("remove")}
              </Button>
            </>
          )
        }
      />
      {guard ? (
        <div className="grid gap-x-8 desktop:grid-cols-[3fr_2fr]">
          <Section title={t("settings")}>
            <GuardForm
              // Another one after a rotation or a change elsewhere would lose what was typed.
              key={guard.created_at}
              {...form}
              initial={valuesOfGuard(guard)}
              save={(values) => save(guard, values)}
            />
          </Section>
          <div className="min-w-0">
            <StateSection guard={guard} answerer={answerer}>
              <Switch
                label={t("isOn")}
                checked={guard.enabled}
                disabled={busy}
                onChange={() => (guard.enabled ? setQuestion({ about: "turnOff" }) : void turnOn())}
              />
            </StateSection>
            <TestSection of={of} guard={guard} onTested={renew} />
            {activity && <GuardChart activity={activity} />}
            <Section title={t("receiver")} description={t("receiverDescription")}>
              <Examples />
            </Section>
          </div>
        </div>
      ) : isNew ? (
        <div className="max-w-3xl">
          <GuardForm {...form} initial={null} save={create} onCancel={() => setNew(false)} />
        </div>
      ) : (
        <EmptyState
          drawing="gate"
          title={t("noneTitle")}
          body={of === "account" ? t("noneBody") : t("noneBodyAll")}
          action={
            <div className="flex flex-wrap items-center justify-center gap-4">
              <Button variant="primary" onClick={() => setNew(true)}>
                {t("setUp")}
              </Button>
              <Examples />
            </div>
          }
        />
      )}
      {question && (
        <GuardDialogs of={of} question={question} onClose={() => setQuestion(null)} onChanged={renew} />
      )}
    </>
  );
}

function Examples() {
  const t = useWords("guards");
  return (
    <a href={`${chapterHref}#a-receiver`} className="text-accent hover:underline">
      {t("examples")}
    </a>
  );
}

/** Whether it works, since when it fails and why, and its secrets. */
function StateSection({
  guard,
  answerer,
  children,
}: Pick<GuardViewProps, "answerer"> & { guard: Guard; children: ReactNode }) {
  const t = useWords("guards");
  const { failing_since: since, last_error: error, secret_hint, previous_secrets: earlier } = guard;
  return (
    <Section title={t("state")} actions={children}>
      <FactList
        rows={[
          [t("state"), <StatusPill key="state" {...stateOf(guard, t)} />],
          since === null ? null : [t("failingSince"), <Time key="since" value={since} mode="absolute" />],
          error === null
            ? null
            : [t("lastError"), <Coded key="error" text={error} codes={guard.last_error_codes} />],
          [
            t("secret"),
            <span key="secret">
              {t("secretEnds", { hint: secret_hint })}
              {earlier.map(({ hint, expires_at }) => (
                <span key={hint} className="block text-meta text-muted">
                  {t("earlierSecret", { hint })} <Time value={expires_at} mode="absolute" />
                </span>
              ))}
            </span>,
          ],
          guard.answered_by === null ? null : [t("answeredBy"), answerer ?? guard.answered_by],
          [t("changed"), <Time key="changed" value={guard.updated_at} />],
        ]}
      />
      {since !== null && <p className="mt-2 text-table text-muted">{t("pause")}</p>}
    </Section>
  );
}

function stateOf({ enabled, failing_since: since }: Guard, t: Words<"guards">) {
  if (!enabled) return { label: t("off"), tone: "waiting", icon: CirclePause, title: t("offMeans") } as const;
  return since === null
    ? ({ label: t("working"), tone: "good", icon: CircleCheck, title: t("workingMeans") } as const)
    : ({ label: t("failing"), tone: "bad", icon: CircleAlert, title: t("pause") } as const);
}

interface TestSectionProps {
  of: GuardOwner;
  guard: Guard;
  /** Reads the guard's state again. */
  onTested: () => void;
}

const testTones = {
  allowed: "good",
  replaced: "good",
  blocked: "warn",
  failed: "bad",
} as const satisfies Record<GuardTest["result"], Tone>;

/** Asks the guard about a sample and says what would happen to such a run. */
function TestSection({ of, guard, onTested }: TestSectionProps) {
  const t = useWords("guards");
  const [chosen, setStage] = useState<GuardStage>("input");
  const [tested, setTested] = useState<{ stage: GuardStage; test: GuardTest } | null>(null);
  const stage = guard.stages.includes(chosen) ? chosen : (guard.stages[0] ?? "input");
  const { busy, failure, send } = useSend();
  const test = async () => {
    setTested(null);
    const body = { stage };
    const answer = await send(() =>
      answerOf(
        of === "account"
          ? act("POST /account/guard/test", { body })
          : act("POST /operator/guard/test", { body }),
      ),
    );
    if (answer.ok) setTested({ stage, test: answer.data });
    onTested();
  };
  return (
    <Section title={t("test")} description={t("testDescription")}>
      <div className="flex flex-wrap items-center gap-2">
        {guard.stages.length > 1 && (
          <RadioGroup
            legend={t("testAbout")}
            hideLegend
            appearance="segments"
            options={guardStages.map((value) => ({
              value,
              label: value === "input" ? t("anInput") : t("anOutput"),
            }))}
            value={stage}
            onChange={setStage}
          />
        )}
        <Button busy={busy} icon={<Send size={16} aria-hidden />} onClick={() => void test()}>
          {t("sendTest")}
        </Button>
      </div>
      <div aria-live="polite" className="mt-3">
        {tested && <TestResult {...tested} onError={guard.on_error} />}
      </div>
      {failure && <ErrorPanel error={failure} />}
    </Section>
  );
}

interface TestResultProps {
  stage: GuardStage;
  test: GuardTest;
  onError: Guard["on_error"];
}

function TestResult({ stage, test, onError }: TestResultProps) {
  const t = useWords("guards");
  const { result, reason, reason_codes: codes, duration_ms: ms } = test;
  const isInput = stage === "input";
  const texts = {
    allowed: [t("testAllowed"), isInput ? t("testAllowedNext") : t("outputAllowedNext")],
    blocked: [t("testBlocked"), isInput ? t("testBlockedNext") : t("outputBlockedNext")],
    replaced: [t("testReplaced"), isInput ? t("testReplacedNext") : t("outputReplacedNext")],
    failed: [t("testFailed"), onError === "block" ? t("testFailedBlock") : t("testFailedAllow")],
  } as const;
  const [label, next] = texts[result];
  return (
    <div className="space-y-1 rounded-panel border p-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatusPill
          label={label}
          tone={testTones[result]}
          icon={result === "allowed" || result === "replaced" ? CircleCheck : CircleAlert}
        />
        <span className="tabular text-table text-muted">{t("tookMs", { ms })}</span>
      </p>
      <p>{next}</p>
      {reason !== null && (
        // Without a code it is what the guard wrote, in any language.
        <p className="font-medium wrap-anywhere">{codes ? <Coded text={reason} codes={codes} /> : reason}</p>
      )}
    </div>
  );
}
