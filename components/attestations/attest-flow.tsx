"use client";

import { useQuery } from "@tanstack/react-query";
import { useContext, useEffect, useRef, useState } from "react";
import type { AttestationKind, AttestationStatement } from "#contract/attestations.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { FormActions } from "@/components/ui/form/form-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { WordsContext } from "@/components/words/words-provider";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayFailure } from "@/lib/gateway/result";
import { queryKeys } from "@/lib/query-keys";
import { loadAttestationDesk } from "@/lib/team/actions";
import type { Language } from "@/messages/languages";

interface AttestFlowProps {
  kinds: readonly AttestationKind[];
  onAttested: () => void;
  onClose: () => void;
}

/** Loads the current statements, then leads the user through reading, confirming and reviewing them. */
export function AttestFlow({ kinds, onAttested, onClose }: AttestFlowProps) {
  const { language } = useContext(WordsContext);
  const desk = useQuery({
    queryKey: [...queryKeys.attestations(), "desk"],
    queryFn: () => answerOf(loadAttestationDesk()),
    gcTime: 0,
    staleTime: 0,
  });
  if (desk.isPending) return <FlowSkeleton />;
  if (desk.isError || !desk.data.ok) {
    const error = desk.data?.ok === false ? desk.data.error : null;
    return <AttestRefused error={error} onRetry={() => desk.refetch()} onClose={onClose} />;
  }
  const { account, attestations } = desk.data.data;
  const asked = attestations.statements
    .filter(({ kind }) => kinds.includes(kind))
    .map((statement) => readIn(language, statement));
  if (account.user === null || asked.length < kinds.length) {
    return <AttestRefused error={null} needsUser={account.user === null} onClose={onClose} />;
  }
  const open = asked.filter(({ active }) => !active);
  if (open.length === 0) return <AlreadyAttested onDone={onAttested} />;
  return <AttestSteps user={account.user} statements={open} onAttested={onAttested} onClose={onClose} />;
}

/** A statement as somebody reads and confirms it: in their language, if the gateway has it so. */
interface ReadStatement extends AttestationStatement {
  language: Language;
  english: string;
}

function readIn(language: Language, statement: AttestationStatement): ReadStatement {
  const texts: Partial<Record<Language, { title: string; statement: string }>> = statement.translations ?? {};
  const translated = texts[language];
  const english = statement.statement;
  return translated
    ? { ...statement, ...translated, language, english }
    : { ...statement, language: "en", english };
}

function AlreadyAttested({ onDone }: { onDone: () => void }) {
  const t = useWords("attestations");
  return (
    <div className="space-y-3 text-base text-ink">
      <p>{t("thisAttestationIsAlreadyRecorded")}</p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          {t("backToForm")}
        </Button>
      </div>
    </div>
  );
}

function FlowSkeleton() {
  const t = useWords("attestations");
  return (
    <div className="space-y-3" aria-busy="true">
      <p className="sr-only" role="status">
        {t("loadingTheStatement")}
      </p>
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="ml-auto h-8 w-32" />
    </div>
  );
}

interface AttestRefusedProps {
  error: GatewayFailure | null;
  /** Shown when the caller signed in with an account key. */
  needsUser?: boolean;
  onRetry?: () => void;
  onClose: () => void;
}

const userCodes = new Set(["user_session_required", "insufficient_scope"]);

/** Explains why this visitor cannot attest, and who can. */
function AttestRefused({ error, needsUser = false, onRetry, onClose }: AttestRefusedProps) {
  const t = useWords("attestations");
  return (
    <div className="space-y-3 text-base text-ink">
      {needsUser || userCodes.has(error?.code ?? "") ? (
        <KeySignIn />
      ) : error?.code === "route_not_found" ? (
        <p>{t("thisGatewayDoesNotAccept")}</p>
      ) : error ? (
        <ErrorPanel error={error} {...(onRetry && { onRetry })} />
      ) : (
        <p>{t("thisGatewayHasNoStatement")}</p>
      )}
      <div className="flex justify-end">
        <Button variant="secondary" onClick={onClose}>
          {t("backToForm")}
        </Button>
      </div>
    </div>
  );
}

function KeySignIn() {
  const t = useWords("attestations");
  return (
    <>
      <p>
        {t.rich(
          "signInToAttest",
          {},
          {
            b: (text) => (
              <strong key="how" className="font-semibold">
                {text}
              </strong>
            ),
          },
        )}
      </p>
      <p className="text-muted">{t("runsWithAServiceKey")}</p>
    </>
  );
}

interface AttestStepsProps {
  user: AttestingUser;
  statements: readonly ReadStatement[];
  onAttested: () => void;
  onClose: () => void;
}

/** Three steps: read and tick, review the record, record. Nothing is ticked in advance. */
function AttestSteps({ user, statements, onAttested, onClose }: AttestStepsProps) {
  const t = useWords("attestations");
  const [ticked, setTicked] = useState<readonly AttestationKind[]>([]);
  /** Attestations that were already recorded, in case a later one fails. */
  const recorded = useRef(new Set<AttestationKind>());
  const [reviewing, setReviewing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<GatewayFailure | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Moving the focus to the new step's heading makes screen readers announce it.
  useEffect(() => {
    if (reviewing) heading.current?.focus();
  }, [reviewing]);

  async function record() {
    setBusy(true);
    setError(null);
    for (const { kind, version, language } of statements) {
      if (recorded.current.has(kind)) continue;
      const body = {
        ...({ kind, statement_version: version, confirmed: true } as const),
        ...(language !== "en" && { language }),
      };
      const answer = await answerOf(act("POST /account/attestations", { body }));
      if (!answer.ok) {
        setBusy(false);
        return setError(answer.error);
      }
      recorded.current.add(kind);
    }
    setBusy(false);
    onAttested();
  }
  const tick = (kind: AttestationKind, on: boolean) =>
    setTicked(on ? [...ticked, kind] : ticked.filter((other) => other !== kind));
  const several = statements.length > 1;

  return (
    <div className="space-y-3">
      <h3 ref={heading} tabIndex={-1} className="text-base font-semibold text-ink outline-none">
        {reviewing ? t("step2Of2Review") : t("step1Of2Read")}
      </h3>
      {statements.map((statement) => (
        <div key={statement.kind} className="space-y-2">
          <StatementText statement={statement} />
          {!reviewing && (
            <Checkbox
              label={several ? t("iHaveReadTitle", { title: statement.title }) : t("iHaveRead")}
              checked={ticked.includes(statement.kind)}
              onChange={(event) => tick(statement.kind, event.currentTarget.checked)}
            />
          )}
        </div>
      ))}
      {reviewing && <AttestReview user={user} statements={statements} />}
      {error && <ErrorPanel error={error} />}
      <FormActions>
        {reviewing ? (
          <>
            <Button variant="secondary" onClick={() => setReviewing(false)} disabled={busy}>
              {t("back")}
            </Button>
            <Button variant="primary" busy={busy} onClick={record}>
              {several ? t("recordCount", { count: statements.length }) : t("recordAttestation")}
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              {t("notNow")}
            </Button>
            <Button
              variant="primary"
              disabled={ticked.length < statements.length}
              onClick={() => setReviewing(true)}
            >
              {t("review")}
            </Button>
          </>
        )}
      </FormActions>
    </div>
  );
}

/** The exact statement to confirm, with its version, which is recorded. The English text is shown below a translation. */
function StatementText({ statement }: { statement: ReadStatement }) {
  const t = useWords("attestations");
  return (
    <figure className="rounded-control border border-line bg-sunken p-3">
      <blockquote lang={statement.language} className="whitespace-pre-line text-base text-ink">
        {statement.statement}
      </blockquote>
      {statement.language !== "en" && (
        <blockquote lang="en" className="mt-2 whitespace-pre-line text-table text-muted">
          {statement.english}
        </blockquote>
      )}
      <figcaption className="mt-2 text-meta text-muted">
        {t.rich(
          "titleAndVersion",
          { title: statement.title, version: statement.version },
          {
            code: (text) => (
              <span key="version" className="font-mono">
                {text}
              </span>
            ),
          },
        )}
      </figcaption>
    </figure>
  );
}

interface AttestReviewProps {
  user: AttestingUser;
  statements: readonly ReadStatement[];
}

/** Shows what will be recorded, before the user confirms. */
function AttestReview({ user, statements }: AttestReviewProps) {
  const t = useWords("attestations");
  const rows = [
    { name: t("name"), value: user.name },
    { name: t("email"), value: user.email },
    ...statements.map(({ title, version }) => ({
      name: t("statement"),
      value: t("statementOf", { title, version }),
    })),
    { name: t("time"), value: t("whenYouChoose") },
  ];
  return (
    <div className="space-y-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        {rows.map(({ name, value }) => (
          <div key={`${name} ${value}`} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-table text-muted">{t("validUntil", { count: statements.length })}</p>
    </div>
  );
}

/** The person whose name is recorded. */
interface AttestingUser {
  name: string;
  email: string;
}
