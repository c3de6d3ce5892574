"use client";

import { CircleCheck, CircleDashed, CircleHelp, Repeat } from "lucide-react";
import { useState } from "react";
import { attestationCodes } from "#contract/attestation-constants.ts";
import type {
  Attestation,
  AttestationKind,
  AttestationStatement,
  StandingAttestation,
} from "#contract/attestations.ts";
import { useWords } from "#words";
import { AttestFlow } from "@/components/attestations/attest-flow";
import { useAccess } from "@/components/team/access";
import { Permitted } from "@/components/team/permitted";
import { ResponsibleChoice } from "@/components/team/responsible-choice";
import { StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link, usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import {
  type AttestationCode,
  type AttestationDesk,
  type Gate,
  gateOfKind,
  gates,
} from "@/lib/attestations/gates";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";
import { handOverKeys } from "@/lib/team/actions";
import { listText } from "@/lib/words/list-text";

interface AttestationsClientProps {
  desk: GatewayResult<AttestationDesk>;
  unlocked: Record<AttestationCode, string[]>;
}

/** The three attestations, what each unlocks, and who made them when. */
export function AttestationsClient({ desk, unlocked }: AttestationsClientProps) {
  const t = useWords("attestations");
  const router = usePageRouter();
  const { toast } = useToast();
  const [attesting, setAttesting] = useState<AttestationKind | null>(null);
  const [withdrawing, setWithdrawing] = useState<AttestationKind | null>(null);
  const statements = desk.ok ? desk.data.attestations.statements : [];
  const done = (title: string) => {
    setAttesting(null);
    setWithdrawing(null);
    toast({ title });
    router.refresh();
  };

  return (
    <>
      <PageHeader title={t("attestations")} description={t("statementsThatSignedInPeople")} />
      {!desk.ok && desk.error.code === "route_not_found" && (
        <div className="mb-6">
          <NotOffered what={t("attestationsThroughItsApi")}>{t("theAttestationsThatTheModels")}</NotOffered>
        </div>
      )}
      {!desk.ok && desk.error.code !== "route_not_found" && (
        <div className="mb-6">
          <ErrorPanel error={desk.error} onRetry={() => router.refresh()} />
        </div>
      )}
      <ul className="mb-8 space-y-4">
        {attestationCodes.map((code) => (
          <CheckCard
            key={code}
            gate={gates[code]}
            statement={statements.find((each) => each.kind === gates[code].kind) ?? null}
            record={
              (desk.ok &&
                desk.data.attestations.data.find(
                  (each) =>
                    each.kind === gates[code].kind &&
                    each.revoked_at === null &&
                    each.user_id === (desk.data.account.user?.id ?? each.user_id),
                )) ||
              null
            }
            models={unlocked[code]}
            onAttest={setAttesting}
            onWithdraw={setWithdrawing}
          />
        ))}
      </ul>
      {desk.ok && <StandingTable standing={desk.data.attestations.standing} />}
      {desk.ok && <AttestationHistory rows={desk.data.attestations.data} statements={statements} />}
      <AttestDialog
        kind={attesting}
        onAttested={() => done(t("attestationRecorded"))}
        onClose={() => setAttesting(null)}
      />
      <WithdrawDialog
        kind={withdrawing}
        standing={desk.ok ? desk.data.attestations.standing : []}
        onWithdrawn={() => done(t("attestationWithdrawn"))}
        onClose={() => setWithdrawing(null)}
      />
    </>
  );
}

interface CheckCardProps {
  gate: Gate;
  /**
   * The current statement. Null if the gateway has none, or if the gate has no attestation because each
   * request must contain a confirmation.
   */
  statement: AttestationStatement | null;
  /** The current attestation for this gate. Null without one. */
  record: Attestation | null;
  models: string[];
  onAttest: (kind: AttestationKind) => void;
  onWithdraw: (kind: AttestationKind) => void;
}

/** One of the three gates: its state and the models that it unlocks. */
function CheckCard({ gate, statement, record, models, onAttest, onWithdraw }: CheckCardProps) {
  const t = useWords("attestations");
  const { kind } = gate;
  return (
    <li className="rounded-panel border bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-title font-semibold">{t.text(gate.title)}</h2>
        {kind === null ? (
          <StatusPill label={t("confirmedForEveryRun")} tone="waiting" icon={Repeat} />
        ) : statement === null ? (
          <StatusPill label={t("unknown")} tone="waiting" icon={CircleHelp} />
        ) : statement.active ? (
          <StatusPill label={t("attested")} tone="good" icon={CircleCheck} />
        ) : (
          <StatusPill label={t("notAttested")} tone="waiting" icon={CircleDashed} />
        )}
        <span className="ml-auto">
          {kind !== null && statement && !statement.active && (
            <Permitted to="attestations:make">
              <Button variant="primary" onClick={() => onAttest(kind)}>
                {t("readAndAttest")}
              </Button>
            </Permitted>
          )}
          {kind !== null && statement?.active && (
            <Permitted to="attestations:make">
              <Button onClick={() => onWithdraw(kind)}>{t("withdraw")}</Button>
            </Permitted>
          )}
        </span>
      </div>
      <p className="mt-1 max-w-[80ch] text-base text-ink">{t.text(gate.why)}</p>
      {kind === null && <p className="max-w-[80ch] text-base text-muted">{t("confirmThisInTheForm")}</p>}
      {record && statement?.active && (
        <p className="mt-1 text-table text-muted">
          {t.rich(
            "attestedByAt",
            { name: record.user_name, version: record.statement_version },
            {
              time: () => <Time key="time" value={record.created_at} mode="absolute" />,
              code: (text) => <code key="version">{text}</code>,
            },
          )}
        </p>
      )}
      {record && statement && !statement.active && (
        <p className="mt-1 text-table text-warn">
          {t("usernameAttestedVersionStatementversionThe", {
            username: record.user_name,
            statementversion: record.statement_version,
          })}
        </p>
      )}
      <UnlockedModels models={models} />
    </li>
  );
}

function UnlockedModels({ models }: { models: string[] }) {
  const t = useWords("attestations");
  if (models.length === 0) return null;
  return (
    <div className="mt-3">
      <h3 className="text-meta font-medium text-muted">{t("requiredBy")}</h3>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {models.map((id) => (
          <li key={id}>
            <Link
              href={`/catalog/${id}`}
              className="inline-flex min-h-6 pointer-coarse:min-h-11 items-center rounded-[5px] border px-1.5 font-mono text-meta text-ink hover:border-accent hover:text-accent"
            >
              {id}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Attestations that are valid now, and whom each one authorises. */
function StandingTable({ standing }: { standing: readonly StandingAttestation[] }) {
  const t = useWords("attestations");
  const shell = useWords("shell");
  if (standing.length === 0) return null;
  return (
    <Section title={t("whoMayRun")} description={t("aPersonsRunsUseTheir")}>
      <Table label={t("whoMayRun")}>
        <thead>
          <tr>
            <Th>{t("attestedBy")}</Th>
            <Th>{t("check")}</Th>
            <Th>{t("usedBy")}</Th>
            <Th>{t("since")}</Th>
          </tr>
        </thead>
        <tbody>
          {standing.map(({ kind, user, role, since, runs_own, service_keys: keys }) => (
            <Tr key={`${kind} ${user.id}`}>
              <Td className="max-w-48 wrap-anywhere">
                <span className="font-medium">{user.name}</span>
                <span className="block text-meta text-muted">{shell("roleName", { role })}</span>
              </Td>
              <Td>{t.text(gateOfKind(kind).title)}</Td>
              <Td className="max-w-72 wrap-anywhere">
                {runs_own && <span className="block">{t("thePersonsOwnRuns")}</span>}
                {keys.length > 0 && (
                  <span className="block">
                    {t("serviceKeys", {
                      names: listText(
                        t.language,
                        keys.map(({ name }) => name),
                        "plain",
                      ),
                    })}
                  </span>
                )}
                {!runs_own && keys.length === 0 && (
                  <span className="text-muted">{t("nothingAtPresent")}</span>
                )}
              </Td>
              <Td label={t("since")}>
                <Time value={since} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

interface AttestationHistoryProps {
  rows: Attestation[];
  statements: AttestationStatement[];
}

/** The history of attestations with their exact wording. No entry is ever removed. */
function AttestationHistory({ rows, statements }: AttestationHistoryProps) {
  const t = useWords("attestations");
  return (
    <Section title={t("history")} description={t("allAttestationsOfThisAccount")}>
      {rows.length === 0 ? (
        <p className="rounded-panel border border-dashed p-6 text-center text-muted">
          {t("noAttestationsYet")}
        </p>
      ) : (
        <Table label={t("attestationHistory")}>
          <thead>
            <tr>
              <Th>{t("check")}</Th>
              <Th>{t("by")}</Th>
              <Th>{t("when")}</Th>
              <Th>{t("withdrawn")}</Th>
              <Th>{t("statement")}</Th>
              <Th from="desktop">{t("ipAddress")}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.id}>
                <Td className="font-medium tablet:whitespace-nowrap">{t.text(gateOfKind(row.kind).title)}</Td>
                <Td label={t("by")}>{row.user_name}</Td>
                <Td>
                  <Time value={row.created_at} mode="absolute" />
                </Td>
                <Td label={t("withdrawn")}>
                  {row.revoked_at ? (
                    <Time value={row.revoked_at} mode="absolute" />
                  ) : (
                    <span className="text-muted">
                      {stands(row, statements) ? t("valid") : t("olderVersion")}
                    </span>
                  )}
                </Td>
                <Td className="min-w-64" label={t("statement")}>
                  <details>
                    <summary className="w-fit rounded-control">
                      {t.rich(
                        "version",
                        { version: row.statement_version },
                        { code: (text) => <code key="version">{text}</code> },
                      )}
                    </summary>
                    <p className="mt-1 max-w-[70ch] whitespace-pre-line text-muted">{row.statement}</p>
                  </details>
                </Td>
                <Td className="font-mono text-meta text-muted" from="desktop" label={t("ipAddress")}>
                  {row.ip ?? "–"}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  );
}

function stands(row: Attestation, statements: AttestationStatement[]): boolean {
  return statements.some((each) => each.kind === row.kind && each.version === row.statement_version);
}

interface AttestDialogProps {
  /** Null: the dialog is closed. */
  kind: AttestationKind | null;
  onAttested: () => void;
  onClose: () => void;
}

/** Opens the dialog that also appears before a run (read, tick, review) from the Attestations page. */
function AttestDialog({ kind, onAttested, onClose }: AttestDialogProps) {
  const t = useWords("attestations");
  return (
    <Dialog
      open={kind !== null}
      onOpenChange={(next) => !next && onClose()}
      title={kind === null ? "" : t.text(gateOfKind(kind).title)}
    >
      {kind !== null && <AttestFlow kinds={[kind]} onAttested={onAttested} onClose={onClose} />}
    </Dialog>
  );
}

interface WithdrawDialogProps {
  /** Null: the dialog is closed. */
  kind: AttestationKind | null;
  standing: readonly StandingAttestation[];
  onWithdrawn: () => void;
  onClose: () => void;
}

function WithdrawDialog({ kind, standing, onWithdrawn, onClose }: WithdrawDialogProps) {
  const t = useWords("attestations");
  const { busy, failure, show, send } = useSend();
  const [answersTo, setAnswersTo] = useState("");
  const { userId, rolesWith } = useAccess();
  const ofKind = standing.filter((each) => each.kind === kind);
  const keys = ofKind.find(({ user }) => user.id === userId)?.service_keys ?? [];
  const others = ofKind.filter(
    ({ user, role }) => user.id !== userId && rolesWith("attestations:answer").includes(role),
  );
  const close = () => {
    show(null);
    setAnswersTo("");
    onClose();
  };

  const withdraw = async () => {
    if (kind === null) return;
    const ids = keys.map(({ id }) => id);
    const answer = await send<unknown>(async () => {
      const handedOver = answersTo ? await answerOf(handOverKeys(ids, answersTo)) : null;
      return handedOver && !handedOver.ok
        ? handedOver
        : answerOf(act("DELETE /account/attestations/{kind}", { params: { kind } }));
    });
    if (answer.ok) onWithdrawn();
  };

  return (
    <ConfirmDialog
      open={kind !== null}
      onOpenChange={(next) => !next && close()}
      title={
        kind === null
          ? ""
          : t("withdrawTheTolowercase", { toLowerCase: t.text(gateOfKind(kind).title).toLowerCase() })
      }
      body={
        <div className="space-y-3">
          <p>{t("yourRunsThatNeedThis")}</p>
          <ResponsibleChoice
            name={null}
            keys={keys}
            others={others.map(({ user }) => user)}
            value={answersTo}
            onChange={setAnswersTo}
          />
        </div>
      }
      confirmLabel={t("withdrawNow")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={withdraw}
    />
  );
}
