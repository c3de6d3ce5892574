import { CircleCheck, CircleDashed, CircleHelp, Repeat } from "lucide-react";
import type { Attestation, AttestationKind, AttestationStatement } from "#contract/attestations.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import type { Gate } from "@/lib/attestations/gates";

interface CheckCardProps {
  gate: Gate;
  /** Null if the gateway has none, or each request confirms for itself. */
  statement: AttestationStatement | null;
  /** The valid attestation. */
  record: Attestation | null;
  models: string[];
  onAttest: (kind: AttestationKind) => void;
  onWithdraw: (kind: AttestationKind) => void;
}

/** One of the three gates: its state and what it unlocks. */
export function CheckCard({ gate, statement, record, models, onAttest, onWithdraw }: CheckCardProps) {
  const { kind } = gate;
  return (
    <li className="rounded-panel border bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-title font-semibold">{gate.title}</h2>
        {kind === null ? (
          <StatusPill label="Asked on every run" tone="waiting" icon={Repeat} />
        ) : statement === null ? (
          <StatusPill label="Unknown" tone="waiting" icon={CircleHelp} />
        ) : statement.active ? (
          <StatusPill label="Attested" tone="good" icon={CircleCheck} />
        ) : (
          <StatusPill label="Not attested" tone="waiting" icon={CircleDashed} />
        )}
        <span className="ml-auto">
          {kind !== null && statement && !statement.active && (
            <Permitted to="attestations:make">
              <Button variant="primary" onClick={() => onAttest(kind)}>
                Read and attest…
              </Button>
            </Permitted>
          )}
          {kind !== null && statement?.active && (
            <Permitted to="attestations:make">
              <Button onClick={() => onWithdraw(kind)}>Withdraw…</Button>
            </Permitted>
          )}
        </span>
      </div>
      <p className="mt-1 max-w-[80ch] text-base text-ink">{gate.why}</p>
      {kind === null && (
        <p className="max-w-[80ch] text-base text-muted">
          Confirm this in the form for each run. Your answer is not saved.
        </p>
      )}
      {record && statement?.active && (
        <p className="mt-1 text-table text-muted">
          Attested by {record.user_name}, <Time value={record.created_at} mode="absolute" />, statement
          version <code>{record.statement_version}</code>.
        </p>
      )}
      {record && statement && !statement.active && (
        <p className="mt-1 text-table text-warn">
          {record.user_name} attested version {record.statement_version}. The statement has changed and must
          be confirmed again.
        </p>
      )}
      <UnlockedModels models={models} />
    </li>
  );
}

function UnlockedModels({ models }: { models: string[] }) {
  if (models.length === 0) return null;
  return (
    <div className="mt-3">
      <h3 className="text-meta font-medium text-muted">Required by</h3>
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
