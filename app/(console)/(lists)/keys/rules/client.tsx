"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { KeyRule, KeyRuleList, TokenTested } from "#contract/key-rules.ts";
import { useWords } from "#words";
import { exchangeTabs } from "@/components/keys/exchange-lines";
import { malformedText } from "@/components/keys/malformed-token";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { TextareaField } from "@/components/ui/form/input-fields";
import { useSend } from "@/components/ui/form/use-send";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { RowControls } from "@/components/ui/list/table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel, LoadFailure } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

const RuleDialogs = dynamic(
  () => import("@/components/keys/rule-dialogs").then((module) => module.RuleDialogs),
  { ssr: false },
);

export type RuleQuestion = { about: "create" } | { about: "edit" | "delete" | "keys"; rule: KeyRule };

interface RulesClientProps {
  rules: GatewayResult<KeyRuleList>;
  /** Service keys as which a rule can act. */
  serviceKeys: { id: string; name: string }[];
  modelIds: string[];
}

/** The rules by which workloads exchange their own tokens for short keys, with a test and the lines to copy. */
export function RulesClient({ rules, serviceKeys, modelIds }: RulesClientProps) {
  const t = useWords("keys");
  const router = usePageRouter();
  const [question, setQuestion] = useState<RuleQuestion | null>(null);
  const add = (
    <Permitted to="key_rules:write">
      <Button
        variant="primary"
        icon={<Plus size={16} aria-hidden />}
        onClick={() => setQuestion({ about: "create" })}
      >
        {t("addRule")}
      </Button>
    </Permitted>
  );
  if (!rules.ok)
    return (
      <>
        <PageHeader title={t("keyRules")} description={t("jobsExchangeTheirOwnToken")} />
        <LoadFailure error={rules.error} />
      </>
    );
  const { data, audience, token_url } = rules.data;
  return (
    <>
      <PageHeader
        title={t("keyRules")}
        description={t("jobsExchangeTheirOwnToken")}
        actions={data.length > 0 && add}
      />
      {data.length === 0 ? (
        <EmptyState drawing="gate" title={t("noRulesYet")} body={t("aJobOfGithubActions")} action={add} />
      ) : (
        <RulesTable rules={data} onAsk={setQuestion} />
      )}
      <div className="mt-8 grid gap-x-8 desktop:grid-cols-2">
        <TokenTest />
        <Section title={t("linesToCopy")} description={t("theyHaveTheAddressesOf")}>
          <CodeBlock label={t("exchangeAToken")} tabs={exchangeTabs(audience, token_url)} />
        </Section>
      </div>
      {question && (
        <RuleDialogs
          question={question}
          audience={audience}
          serviceKeys={serviceKeys}
          modelIds={modelIds}
          onClose={() => setQuestion(null)}
          onChanged={() => {
            setQuestion(null);
            router.refresh();
          }}
        />
      )}
    </>
  );
}

function RulesTable({ rules, onAsk }: { rules: KeyRule[]; onAsk: (question: RuleQuestion) => void }) {
  const t = useWords("keys");
  const { may, userId } = useAccess();
  const columns: (Column<KeyRule> | false)[] = [
    {
      head: t("name"),
      cellClass: "min-w-40 wrap-anywhere",
      cell: ({ name, revoked_at }) => (
        <>
          <span className="font-medium text-ink">{name}</span>
          {revoked_at !== null && (
            <span className="block">
              <Badge>{t("ended")}</Badge>
            </span>
          )}
        </>
      ),
    },
    {
      head: t("takesTokensOf"),
      cellClass: "min-w-56 wrap-anywhere",
      cell: ({ issuer, claims }) => (
        <>
          <code>{issuer}</code>
          {Object.entries(claims).map(([claim, value]) => (
            <code key={claim} className="block text-meta text-muted">
              {claim} = {value}
            </code>
          ))}
        </>
      ),
    },
    {
      head: t("actsAs"),
      from: "desktop",
      cellClass: "wrap-anywhere",
      cell: ({ acts_as, member }) => acts_as?.name ?? member?.name ?? t("formerMember"),
    },
    {
      head: t("keys"),
      from: "tablet",
      cell: (rule) => (
        <Button size="sm" onClick={() => onAsk({ about: "keys", rule })}>
          {t.rich(
            "liveKeys",
            { count: rule.live_keys, name: rule.name },
            {
              hidden: (text) => (
                <span key="rule" className="sr-only">
                  {text}
                </span>
              ),
            },
          )}
        </Button>
      ),
    },
    {
      head: t("lastUsed"),
      from: "desktop",
      cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : t("never2")),
    },
    may("key_rules:write") && {
      head: actionsHead,
      cell: (rule) => (
        <RowControls className="w-full justify-end">
          {/* The gateway lets only the person as whom a rule acts change it. */}
          {(rule.acts_as !== null || rule.member?.id === userId) && (
            <IconButton
              size="sm"
              label={t("editName", { name: rule.name })}
              icon={<Pencil size={14} aria-hidden />}
              onClick={() => onAsk({ about: "edit", rule })}
            />
          )}
          <IconButton
            size="sm"
            label={t("deleteName2", { name: rule.name })}
            icon={<Trash2 size={14} aria-hidden />}
            onClick={() => onAsk({ about: "delete", rule })}
          />
        </RowControls>
      ),
    },
  ];
  return <RowsTable label={t("keyRules")} rows={rules} columns={columns} />;
}

/** Says which rule takes a token, and why the others do not. */
function TokenTest() {
  const t = useWords("keys");
  const [token, setToken] = useState("");
  const [tested, setTested] = useState<TokenTested | null>(null);
  const { busy, failure, send } = useSend();
  const test = async () => {
    setTested(null);
    const answer = await send(() => answerOf(act("POST /key_rules/test", { body: { token: token.trim() } })));
    if (answer.ok) setTested(answer.data);
  };
  return (
    <Section title={t("testAToken")} description={t("nothingOfTheTokenIs")}>
      <form
        className="space-y-3"
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") void test();
        }}
      >
        <TextareaField
          label={t("token")}
          hint={t("theJwtOfAJob")}
          rows={4}
          mono
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Button type="submit" busy={busy} disabled={token.trim() === ""}>
          {t("test")}
        </Button>
      </form>
      {failure && <ErrorPanel error={failure} />}
      <div aria-live="polite">{tested && <TestResult tested={tested} />}</div>
    </Section>
  );
}

const code = (text: string[]) => <code key={text.join("")}>{text}</code>;

function TestResult({ tested }: { tested: TokenTested }) {
  const t = useWords("keys");
  const { malformed, issuer, subject, taken_by, rules } = tested;
  if (malformed !== null)
    return (
      <p className="mt-3 text-bad">{t("noRuleCanTakeThis", { malformed: malformedText(malformed, t) })}</p>
    );
  const taken = rules.find(({ id }) => id === taken_by);
  return (
    <div className="mt-3 space-y-2 text-table wrap-anywhere">
      <p className={taken ? "font-medium text-good" : "font-medium text-bad"}>
        {taken ? t("nameTakesThisToken", { name: taken.name }) : t("noRuleTakesThisToken")}
      </p>
      <p className="text-muted">
        {subject === null
          ? t.rich("fromIssuer", { issuer: issuer ?? "" }, { code })
          : t.rich("fromIssuerFor", { issuer: issuer ?? "", subject }, { code })}
      </p>
      <ul className="space-y-2">
        {rules
          .filter(({ id }) => id !== taken_by)
          .map(({ id, name, faults }) => (
            <li key={id}>
              <span className="font-medium">{name}</span>
              {faults.length === 0 ? (
                <p className="text-muted">{t("takesItTooButThe")}</p>
              ) : (
                <ul className="list-disc pl-5 text-muted">
                  {faults.map(({ message }) => (
                    <li key={message} lang="en">
                      {message}
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
      </ul>
    </div>
  );
}
